#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_TIME_TEXT_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_TIME_TEXT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/scalars.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::cli {

/** Reads a duration: seconds as a whole number, or with units, such as `90s`, `5m` or `1h30m`. At least 0, at most a
    year.
    @par Errors `errc::invalid_argument` */
result<std::chrono::milliseconds> read_time(std::string_view text);

/// The age in one or two units, such as `45s`, `3m12s`, `17m` or `5d`; `-` if it is unknown.
std::string age(std::optional<time_point> since, time_point now);
/// By the clock of this machine.
std::string age(std::optional<time_point> since);

} // namespace kftrain::cli

#endif
