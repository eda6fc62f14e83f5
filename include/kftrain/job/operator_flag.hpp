#ifndef KFTRAIN_JOB_OPERATOR_FLAG_HPP
#define KFTRAIN_JOB_OPERATOR_FLAG_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/operator_options.hpp>

#include <span>
#include <string_view>

namespace kftrain {

/** A flag of the upstream operator that affects the rules. read_operator_flag() of `kinds/registry.hpp` handles the
    flags of all kinds. */
struct operator_flag {
    constexpr operator_flag() = default;
    constexpr operator_flag(std::string_view n, result<void> (*r)(operator_options&, std::string_view))
        : name(n), read(r) {}

    std::string_view name; ///< without dashes, e.g. `gang-scheduler-name`
    /// Sets the option from the value and keeps the others; `errc::invalid_argument` for an invalid value.
    result<void> (*read)(operator_options&, std::string_view value) = nullptr;
};

/// Reads a 32-bit integer. @par Errors `errc::invalid_argument`; the message contains the value and the expectation.
[[nodiscard]] result<std::int32_t> read_flag_number(std::string_view value);

} // namespace kftrain

#endif
