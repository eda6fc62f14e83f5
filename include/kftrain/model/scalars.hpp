#ifndef KFTRAIN_MODEL_SCALARS_HPP
#define KFTRAIN_MODEL_SCALARS_HPP

#include <kftrain/model/quantity.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/// Kubernetes `Time`: whole seconds, UTC.
using time_point = std::chrono::sys_seconds;
/// Kubernetes `MicroTime`: microseconds, UTC.
using micro_time = std::chrono::sys_time<std::chrono::microseconds>;
/// Kubernetes `Duration`, written as `1h30m0s` or `1.5s`.
using duration = std::chrono::nanoseconds;

/** A port, a percentage or a count: an int32 or a string; JSON keeps the difference.
    @par Upstream apimachinery `pkg/util/intstr/intstr.go` */
class int_or_string {
public:
    int_or_string() = default;
    int_or_string(std::int32_t number) : number_(number) {}
    explicit int_or_string(std::string text) : text_(std::move(text)), is_string_(true) {}

    bool is_string() const noexcept { return is_string_; }
    /// Returns 0 for a string.
    std::int32_t number() const noexcept { return number_; }
    /// Returns an empty text for a number.
    std::string const& text() const noexcept { return text_; }
    /** Returns the number, or the percentage of `total` in the text, rounded up or down to an integer. Nothing if
        the text is not a percentage such as `25%`, or the result does not fit an int64. */
    std::optional<std::int64_t> scaled_value(std::int64_t total, bool round_up) const;
    friend bool operator==(int_or_string const&, int_or_string const&) = default;

private:
    std::string text_;
    std::int32_t number_ = 0;
    bool is_string_ = false;
};

/// Binary data, stored decoded; JSON and YAML contain it as padded base64. The type of `Secret.data`.
struct bytes {
    bytes() = default;
    explicit bytes(std::string d) : data(std::move(d)) {}

    std::string data; ///< the decoded bytes

    friend bool operator==(bytes const&, bytes const&) = default;
};

/** Parse the textual form; return false if `s` is invalid. Times accept 0 to 9 fractional digits and any offset.
    @par Upstream apimachinery `pkg/apis/meta/v1/{time,micro_time}.go` */
bool parse_scalar(std::string_view s, time_point& out);
bool parse_scalar(std::string_view s, micro_time& out);
/** Parses numbers with the units `h`, `m`, `s`, `ms`, `us`, `µs` and `ns`, as in `-1h2.5s`, or `0`. Fractions of a
    nanosecond are cut off.
    @par Upstream Go's `time.ParseDuration` and `Duration.String` */
bool parse_scalar(std::string_view s, duration& out);
/// Accepts any text as a string; numbers are not passed as text.
bool parse_scalar(std::string_view s, int_or_string& out);
/// Parses base64 of RFC 4648, padded; skips line ends, as Go does.
bool parse_scalar(std::string_view s, bytes& out);

/// Append the textual form: `2026-03-01T10:11:12Z`; MicroTime with exactly six fractional digits.
void print_scalar(time_point t, std::string& out);
void print_scalar(micro_time t, std::string& out);
void print_scalar(duration d, std::string& out);
void print_scalar(int_or_string const& v, std::string& out);
void print_scalar(bytes const& b, std::string& out);

} // namespace kftrain

#endif
