#ifndef KFTRAIN_MODEL_QUANTITY_HPP
#define KFTRAIN_MODEL_QUANTITY_HPP

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/** A resource amount such as `500m` or `1Gi`. It keeps the spelling it was given in and writes that; it compares and
    computes by value, exactly, without floating point and without a limit to its digits.

    The empty text is the unset quantity; that, and a text which is no quantity, count as zero.
    @par Upstream apimachinery `pkg/api/resource/quantity.go`, v0.31. What has no digit at all (`Gi`, `-`, `.`), which
    is zero there, is refused here, as is an exponent beyond ±10000; values that do not fit an int64 are capped where
    they wrap around or turn to zero there.
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
class quantity {
public:
    /// How the canonical text is written.
    enum class format : std::uint8_t {
        decimal_si,       ///< `12M`
        binary_si,        ///< `12Mi`
        decimal_exponent, ///< `12e6`
    };

    quantity() = default;
    /// Takes the text as it is; parse() checks.
    explicit quantity(std::string text) : text_(std::move(text)) {}

    /// The quantity of this text, spelling kept. Never throws but for memory.
    static std::optional<quantity> parse(std::string_view text);
    /// Why a text is no quantity, in the server's words; empty if it is one.
    static std::string_view why_invalid(std::string_view text) noexcept;
    static quantity from(std::int64_t value, format f = format::decimal_si);
    /// Thousandths: `from_milli(1500)` is 1.5.
    static quantity from_milli(std::int64_t value, format f = format::decimal_si);

    /// As it was given; of a computed quantity its canonical text.
    std::string const& text() const noexcept { return text_; }
    /** The text that an API server answers: no digit after the point, the largest suffix that keeps the value, no
        suffix of the binary kind below 1024 or for fractions. Spellings that the server itself leaves alone
        (`+1`, `1.500`) stay. A text that is no quantity is returned as it is. */
    std::string canonical() const;
    /// The same value with a canonical text of this format.
    quantity as(format f) const;

    /// -1, 0 or 1.
    int sign() const;
    bool is_zero() const { return sign() == 0; }
    /// The integer next to the value away from zero, capped to what an int64 holds.
    std::int64_t value() const { return scaled_value(0); }
    /// The same of a thousandfold.
    std::int64_t milli_value() const { return scaled_value(-3); }
    /// The same of the value divided by 10 to the power of `scale`.
    std::int64_t scaled_value(int scale) const;

    /// The sum in the format of the left side; zero takes over the format of the other.
    quantity& operator+=(quantity const& other);
    quantity& operator-=(quantity const& other);
    quantity& operator*=(std::int64_t factor);
    friend quantity operator+(quantity a, quantity const& b) { return a += b; }
    friend quantity operator-(quantity a, quantity const& b) { return a -= b; }
    friend quantity operator*(quantity a, std::int64_t factor) { return a *= factor; }
    quantity operator-() const;

    /// By value: `1`, `1000m` and `1e0` are equal, as are unset and `0`.
    friend bool operator==(quantity const& a, quantity const& b) { return (a <=> b) == 0; }
    friend std::weak_ordering operator<=>(quantity const& a, quantity const& b);

private:
    std::string text_;
    /// Of a computed quantity: what `text_` cannot tell, as `1023` may be a sum in binary_si.
    std::optional<format> computed_{};
};

/// False if `s` is no quantity.
bool parse_scalar(std::string_view s, quantity& out);
/// Appends the spelling that was given.
void print_scalar(quantity const& q, std::string& out);

} // namespace kftrain

#endif
