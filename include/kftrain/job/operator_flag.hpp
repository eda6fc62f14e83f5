#ifndef KFTRAIN_JOB_OPERATOR_FLAG_HPP
#define KFTRAIN_JOB_OPERATOR_FLAG_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/operator_options.hpp>

#include <span>
#include <string_view>

namespace kftrain {

/** A flag of the upstream operator that tells its rules something. read_operator_flag() of `kinds/registry.hpp` knows those
    of all kinds. */
struct operator_flag {
    constexpr operator_flag() = default;
    constexpr operator_flag(std::string_view n, result<void> (*r)(operator_options&, std::string_view))
        : name(n), read(r) {}

    std::string_view name; ///< without dashes, e.g. `gang-scheduler-name`
    /// Sets in the options what the value says, and leaves the rest; `errc::invalid_argument` for a value it cannot be.
    result<void> (*read)(operator_options&, std::string_view value) = nullptr;
};

/// Reads a whole number of 32 bits. @par Errors `errc::invalid_argument`; the message names value and expectation.
result<std::int32_t> read_flag_number(std::string_view value);

} // namespace kftrain

#endif
