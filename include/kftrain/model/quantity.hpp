#ifndef KFTRAIN_MODEL_QUANTITY_HPP
#define KFTRAIN_MODEL_QUANTITY_HPP

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/** A resource amount such as `500m` or `1Gi`. It keeps and writes its original spelling. It compares and computes by
    value, exactly, without floating point and without a limit on the number of digits.

    The empty text is the unset quantity; it counts as zero, and so does an invalid text.
    @par Upstream apimachinery `pkg/api/resource/quantity.go`, v0.31. Differences: texts without a digit (`Gi`, `-`,
    `.`), which are zero upstream, are rejected, and so are exponents beyond ±10000; values that do not fit an int64
    are capped, while upstream they wrap around or become zero.
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
class quantity {
public:
    /// The format of the canonical text.
    enum class format : std::uint8_t {
        decimal_si,       ///< `12M`
        binary_si,        ///< `12Mi`
        decimal_exponent, ///< `12e6`
    };

    quantity() = default;
    /// Stores the text unchecked; parse() checks it.
    explicit quantity(std::string text) : text_(std::move(text)) {}

    /// Parses the text and keeps its spelling. Throws only if memory runs out.
    static std::optional<quantity> parse(std::string_view text);
    /// Returns why a text is not a quantity, with the message of the server; empty if it is one.
    static std::string_view why_invalid(std::string_view text) noexcept;
    static quantity from(std::int64_t value, format f = format::decimal_si);
    /// Thousandths: `from_milli(1500)` is 1.5.
    static quantity from_milli(std::int64_t value, format f = format::decimal_si);

    /// Returns the original text; for a computed quantity its canonical text.
    std::string const& text() const noexcept { return text_; }
    /** Returns the text that an API server returns: no digit after the point, the largest suffix that keeps the
        value, no binary suffix below 1024 or for fractions. Spellings that the server does not change (`+1`,
        `1.500`) are kept. An invalid text is returned unchanged. */
    std::string canonical() const;
    /// Returns the same value with a canonical text of this format.
    quantity as(format f) const;

    /// Returns -1, 0 or 1.
    int sign() const;
    bool is_zero() const { return sign() == 0; }
    /// Returns the value as an integer, rounded away from zero and capped to the range of int64.
    std::int64_t value() const { return scaled_value(0); }
    /// The same for the value times a thousand.
    std::int64_t milli_value() const { return scaled_value(-3); }
    /// The same for the value divided by 10 to the power of `scale`.
    std::int64_t scaled_value(int scale) const;

    /// Returns the sum in the format of the left side; zero takes the format of the other side.
    quantity& operator+=(quantity const& other);
    quantity& operator-=(quantity const& other);
    quantity& operator*=(std::int64_t factor);
    friend quantity operator+(quantity a, quantity const& b) { return a += b; }
    friend quantity operator-(quantity a, quantity const& b) { return a -= b; }
    friend quantity operator*(quantity a, std::int64_t factor) { return a *= factor; }
    quantity operator-() const;

    /// Compares by value: `1`, `1000m` and `1e0` are equal, as are unset and `0`.
    friend bool operator==(quantity const& a, quantity const& b) { return (a <=> b) == 0; }
    friend std::weak_ordering operator<=>(quantity const& a, quantity const& b);

private:
    std::string text_;
    /// The format of a computed quantity, which `text_` does not determine: `1023` may be a sum in binary_si.
    std::optional<format> computed_{};
};

/// Returns false if `s` is not a quantity.
bool parse_scalar(std::string_view s, quantity& out);
/// Appends the original spelling.
void print_scalar(quantity const& q, std::string& out);

} // namespace kftrain

#endif
