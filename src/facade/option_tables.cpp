#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "facade/kind_table.hpp"
#include "kube/enum_names.hpp"

#include <kftrain/facade/described.hpp>

namespace kftrain {
namespace detail {

/// A position has the text that programs store.
template <> struct describe<log_position> {
    static constexpr model::descriptor make() {
        model::descriptor d{model::shape::text, "log position", &reset_value<log_position>, &take_value<log_position>};
        d.parse = [](void* p, std::string_view s) {
            auto read = log_position::parse(s);
            if (read) *static_cast<log_position*>(p) = *std::move(read);
            return read.has_value();
        };
        d.print = [](void const* p, std::string& out) { out += static_cast<log_position const*>(p)->to_string(); };
        d.same = [](void const* a, void const* b) {
            return *static_cast<log_position const*>(a) == *static_cast<log_position const*>(b);
        };
        d.same_text = [](std::string_view a, std::string_view b) {
            auto const x = log_position::parse(a), y = log_position::parse(b);
            return x && y && *x == *y;
        };
        return d;
    }
};

} // namespace detail

namespace kube {

KFTRAIN_TABLE(call_options)
KFTRAIN_TABLE(next_options)
KFTRAIN_TABLE(wait_options)
KFTRAIN_TABLE(write_options)
KFTRAIN_TABLE(apply_options)

} // namespace kube

KFTRAIN_TABLE(submit_options)
KFTRAIN_TABLE(job_list_options)
KFTRAIN_TABLE(job_delete_options)
KFTRAIN_TABLE(job_event_options)
KFTRAIN_TABLE(explain_options)
KFTRAIN_TABLE(preflight_options)
KFTRAIN_TABLE(job_watch_options)
KFTRAIN_TABLE(job_log_options)

} // namespace kftrain
