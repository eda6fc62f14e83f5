#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_LOG_FILE_NAME_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_LOG_FILE_NAME_HPP

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The output of one run of a container is kept in files of one folder. The name of each is the offset of its first byte
// in the output of the run, so that readers find the order of the files, and where bytes are missing.
namespace kftrain::local::sandbox {

/// Names sort as the places do.
inline std::string log_file_name(std::uint64_t first_byte) {
    auto digits = std::to_string(first_byte);
    return std::string(20 - digits.size(), '0') + digits + ".log";
}

/// Beside such a file: when its bytes were written, as log_time records, oldest first.
inline std::string log_times_name(std::uint64_t first_byte) {
    auto name = log_file_name(first_byte);
    name.replace(20, std::string::npos, ".times");
    return name;
}

/// The time of the output from `place` on, up to the place of the next record.
struct log_time {
    std::uint64_t place = 0;
    std::int64_t nanoseconds = 0; ///< since 1970, UTC
};
static_assert(sizeof(log_time) == 16);

/// Nothing for the name of another file.
inline std::optional<std::uint64_t> log_file_place(std::string_view name) noexcept {
    std::uint64_t place = 0;
    if (name.size() != 24 || !name.ends_with(".log")) return {};
    auto const [end, wrong] = std::from_chars(name.data(), name.data() + 20, place);
    if (wrong != std::errc() || end != name.data() + 20) return {};
    return place;
}

} // namespace kftrain::local::sandbox

#endif
