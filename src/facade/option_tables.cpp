#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "facade/kind_table.hpp"

#include <kftrain/facade/described.hpp>

namespace kftrain {
namespace detail {

/// A position has the text that programs store.
template <> struct describe<log_position> {
    static bool parse(std::string_view s, log_position& to) {
        auto read = log_position::parse(s);
        if (!read) return false;
        to = *std::move(read);
        return true;
    }
    static void print(log_position const& p, std::string& out) { out += p.to_string(); }

    static constexpr model::descriptor make() { return describe_text<log_position, describe>("log position"); }
};

} // namespace detail

KFTRAIN_TABLE(submit_options)
KFTRAIN_TABLE(job_list_options)
KFTRAIN_TABLE(job_delete_options)
KFTRAIN_TABLE(job_event_options)
KFTRAIN_TABLE(explain_options)
KFTRAIN_TABLE(preflight_options)
KFTRAIN_TABLE(job_watch_options)
KFTRAIN_TABLE(timeline_options)
KFTRAIN_TABLE(job_log_options)

} // namespace kftrain
