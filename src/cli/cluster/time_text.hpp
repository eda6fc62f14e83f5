#ifndef KFTRAIN_SRC_CLI_CLUSTER_TIME_TEXT_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_TIME_TEXT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/scalars.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::cli {

/** A time as users write it: seconds as a whole number, or with units, `90s`, `5m`, `1h30m`. At least 0, at most a year.
    @par Errors `errc::invalid_argument` */
result<std::chrono::milliseconds> read_time(std::string_view text);

/// How long ago that was, in one or two units: `45s`, `3m12s`, `17m`, `5d`; `-` if it is not known.
std::string age(std::optional<time_point> since, time_point now);
/// By the clock of this machine.
std::string age(std::optional<time_point> since);

} // namespace kftrain::cli

#endif
