#include "base/failure_at.hpp"
#include "facade/logs/log_bookmark.hpp"

#include <kftrain/facade/job_logs.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {
BOOST_DESCRIBE_STRUCT(log_position::entry, (), (run, time, delivered))

namespace {

/// The text of a position.
struct position_document {
    position_document() = default;

    std::int32_t version = 0;
    decltype(log_position::entries) entries;
};
BOOST_DESCRIBE_STRUCT(position_document, (), (version, entries))

constexpr std::int32_t written_version = 1;
// Limits for text from outside. No job has more containers or longer names.
constexpr std::size_t max_entries = 100'000;
constexpr std::size_t longest_name = 512;

failure no_position(std::string path, std::string message) {
    return failure_at(std::move(path), std::move(message), errc::type_mismatch);
}

std::string shown(std::string_view text) { return '"' + std::string(text.substr(0, longest_name)) + '"'; }

/// Returns the fault of a place, if it has one.
std::optional<failure> fault_of(std::string_view name, log_position::entry const& p) {
    auto const slash = name.find('/');
    if (slash == std::string_view::npos || slash == 0 || slash + 1 == name.size() || name.size() > longest_name)
        return no_position("entries", shown(name) + ", expected UID-OF-POD/CONTAINER");
    auto const path = "entries[" + std::string(name) + "].";
    if (p.run < 0) return no_position(path + "run", std::to_string(p.run) + ", expected at least 0");
    if (p.delivered < 1) return no_position(path + "delivered", std::to_string(p.delivered) + ", expected at least 1");
    if (!p.time.empty() && !parse_log_instant(p.time))
        return no_position(path + "time", shown(p.time) + ", expected an RFC 3339 time");
    return {};
}

} // namespace

result<log_position> log_position::parse(std::string_view text) {
    auto read = from_json<position_document>(text);
    if (!read) return read.error();
    if (read->version != written_version)
        return no_position("version", std::to_string(read->version) + ", expected " + std::to_string(written_version));
    if (read->entries.size() > max_entries)
        return no_position("entries", std::to_string(read->entries.size()) + " entries, expected at most " +
                                          std::to_string(max_entries));
    log_position position;
    for (auto const& [name, place] : read->entries)
        if (auto fault = fault_of(name, place)) return *std::move(fault);
    position.entries = std::move(read->entries);
    return position;
}

std::string log_position::to_string() const {
    position_document written;
    written.version = written_version;
    written.entries = entries;
    return to_json(written);
}

} // namespace kftrain
