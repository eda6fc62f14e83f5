#ifndef KFTRAIN_SRC_MODEL_SCALARS_DECIMAL_HPP
#define KFTRAIN_SRC_MODEL_SCALARS_DECIMAL_HPP

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// Removes the decimal digits at the front, perhaps none, and returns them.
std::string_view take_digits(std::string_view& s) noexcept;

/** An exact decimal number: digits × 10^exponent. Normal form: neither first nor last digit is zero, and zero has no
    digits, so that equal values have equal members. The cost grows with the digits and, for sums, with the distance of
    the exponents. */
struct decimal {
    bool negative = false;
    std::string digits{}; ///< most significant first
    int exponent = 0;

    /// Accepts any digits, including leading and trailing zeros.
    static decimal of(bool negative, std::string_view digits, int exponent);
    static decimal of(std::int64_t value, int exponent);

    bool is_zero() const noexcept { return digits.empty(); }
    /// Drops what stands below 10^exponent, away from zero. True if nothing was lost.
    bool round_away(int to_exponent);
    /// The integer that it is; it must be one.
    std::string integer_digits() const;
    /// Away from zero, capped.
    std::int64_t to_int64() const;
    /// Drops what stands below 1.
    void truncate();

    friend decimal operator+(decimal const& a, decimal const& b);
    friend decimal operator*(decimal const& a, decimal const& b);
    friend bool operator==(decimal const&, decimal const&) = default;
    friend std::strong_ordering operator<=>(decimal const& a, decimal const& b) noexcept;
};

/// Divides the digits by a small number in place, if there is no remainder; true if it did.
bool divide_exactly(std::string& digits, unsigned divisor);

} // namespace kftrain::detail

#endif
