#include <kftrain/model/quantity.hpp>

#include "model/scalars/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kftrain {
namespace {

using detail::decimal;
using detail::take_digits;
using format = quantity::format;

constexpr int nano = -9;
constexpr int largest_exponent = 10000;

constexpr std::string_view wrong_form = "quantities must match the regular expression "
                                        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view wrong_number = "unable to parse numeric part of quantity";
constexpr std::string_view wrong_suffix = "unable to parse quantity's suffix";

struct unit {
    std::string_view suffix;
    int power; ///< of 10, or of 2
    format form;
};
constexpr std::array<unit, 16> units{{{"", 0, format::decimal_si},
                                      {"n", -9, format::decimal_si},
                                      {"u", -6, format::decimal_si},
                                      {"m", -3, format::decimal_si},
                                      {"k", 3, format::decimal_si},
                                      {"M", 6, format::decimal_si},
                                      {"G", 9, format::decimal_si},
                                      {"T", 12, format::decimal_si},
                                      {"P", 15, format::decimal_si},
                                      {"E", 18, format::decimal_si},
                                      {"Ki", 10, format::binary_si},
                                      {"Mi", 20, format::binary_si},
                                      {"Gi", 30, format::binary_si},
                                      {"Ti", 40, format::binary_si},
                                      {"Pi", 50, format::binary_si},
                                      {"Ei", 60, format::binary_si}}};

std::string_view suffix_of(int power, format f) {
    for (auto const& u : units)
        if (u.power == power && (u.form == f || power == 0)) return u.suffix;
    return {};
}

/// The text taken apart.
struct spelling {
    bool negative = false;
    std::string_view whole{}; ///< digits before the point, without leading zeros
    std::string_view part{};  ///< digits after it
    int power = 0;
    format form = format::decimal_si;
};

/// Returns what is wrong, or nothing.
std::string_view read_suffix(std::string_view s, spelling& out) noexcept {
    for (auto const& u : units)
        if (u.suffix == s) {
            out.power = u.power;
            out.form = u.form;
            return {};
        }
    auto const letters = std::min(s.find_first_not_of("eEinumkKMGTP"), s.size());
    auto rest = s.substr(letters);
    if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
    take_digits(rest);
    if (!rest.empty()) return wrong_form;
    if (s.size() < 2 || letters != 1 || (s.front() != 'e' && s.front() != 'E')) return wrong_suffix;
    s.remove_prefix(s[1] == '+' ? 2 : 1);
    auto const r = std::from_chars(s.data(), s.data() + s.size(), out.power);
    if (r.ec != std::errc() || r.ptr != s.data() + s.size()) return wrong_suffix;
    out.form = format::decimal_exponent;
    return out.power < -largest_exponent || out.power > largest_exponent ? wrong_suffix : std::string_view{};
}

std::string_view read(std::string_view s, spelling& out) noexcept {
    if (s.empty()) return wrong_form;
    out.negative = s.front() == '-';
    if (out.negative || s.front() == '+') s.remove_prefix(1);
    out.whole = take_digits(s);
    bool const has_whole = !out.whole.empty();
    out.whole.remove_prefix(std::min(out.whole.find_first_not_of('0'), out.whole.size()));
    if (s.starts_with('.')) {
        s.remove_prefix(1);
        out.part = take_digits(s);
    }
    if (auto const why = read_suffix(s, out); !why.empty()) return why;
    return has_whole || !out.part.empty() ? std::string_view{} : wrong_number;
}

struct amount {
    decimal value{};
    format form = format::decimal_si;
};

amount evaluate(spelling const& s) {
    amount a{{}, s.form};
    std::string digits(s.whole);
    digits += s.part;
    bool const binary = s.form == format::binary_si;
    a.value = decimal::of(false, digits, (binary ? 0 : s.power) - static_cast<int>(s.part.size()));
    if (binary) a.value = a.value * decimal::of(std::int64_t{1} << static_cast<unsigned>(s.power), 0);
    a.value.round_away(nano);
    if (binary) {
        static constexpr std::string_view most = "9223372036854775807";
        if (auto const cap = decimal::of(false, most, 0); a.value > cap) a.value = cap;
        bool const below_one = !a.value.is_zero() && a.value < decimal::of(1, 0);
        if (below_one) a.form = format::decimal_si;
    }
    a.value.negative = s.negative && !a.value.is_zero();
    return a;
}

amount evaluate(std::string const& text, std::optional<format> computed) {
    spelling s;
    if (!read(text, s).empty()) return {};
    auto a = evaluate(s);
    if (computed) a.form = *computed;
    return a;
}

std::string canonical_text(decimal const& v, format f) {
    if (v.is_zero()) return "0";
    decimal magnitude = v;
    magnitude.negative = false;
    if (f == format::binary_si && (v.exponent < 0 || magnitude < decimal::of(1024, 0))) f = format::decimal_si;
    std::string text = v.negative ? "-" : "";
    if (f == format::binary_si) {
        auto digits = v.integer_digits();
        int power = 0;
        while (power < 60 && detail::divide_exactly(digits, 1024)) power += 10;
        return text.append(digits).append(suffix_of(power, f));
    }
    int power = v.exponent - (v.exponent % 3 + 3) % 3;
    power = std::min(power, f == format::decimal_si ? 18 : largest_exponent - largest_exponent % 3);
    text.append(v.digits).append(static_cast<std::size_t>(v.exponent - power), '0');
    if (f == format::decimal_si) return text.append(suffix_of(power, f));
    return power == 0 ? text : text.append("e").append(std::to_string(power));
}

/// True for spellings that are no canonical form, yet which upstream hands back untouched when it reads them.
bool is_left_alone(spelling const& s) {
    // One more digit than there are stands for a whole part of zero alone.
    std::size_t const digits = std::max<std::size_t>(s.whole.size(), 1) + s.part.size();
    if (s.form == format::binary_si) {
        if (!s.part.empty() || digits + static_cast<std::size_t>(s.power * 3 / 10) + 1 > 15) return false;
        std::uint64_t n = 0;
        std::from_chars(s.whole.data(), s.whole.data() + s.whole.size(), n);
        return n % 8 != 0;
    }
    if (digits > 18) return false;
    int const scale = s.power - static_cast<int>(s.part.size());
    if (scale < nano || scale % 3 != 0 || s.whole.empty()) return false;
    std::string all(s.whole);
    return !all.append(s.part).ends_with("000");
}

} // namespace

std::optional<quantity> quantity::parse(std::string_view text) {
    if (!why_invalid(text).empty()) return std::nullopt;
    return quantity(std::string(text));
}

std::string_view quantity::why_invalid(std::string_view text) noexcept {
    spelling s;
    return read(text, s);
}

quantity quantity::from(std::int64_t value, format f) {
    quantity q(canonical_text(decimal::of(value, 0), f));
    q.computed_ = f;
    return q;
}

quantity quantity::from_milli(std::int64_t value, format f) {
    quantity q(canonical_text(decimal::of(value, -3), f));
    q.computed_ = f;
    return q;
}

std::string quantity::canonical() const {
    spelling s;
    if (computed_ || !read(text_, s).empty() || is_left_alone(s)) return text_;
    auto const a = evaluate(s);
    return canonical_text(a.value, a.form);
}

quantity quantity::as(format f) const {
    quantity q(canonical_text(evaluate(text_, computed_).value, f));
    q.computed_ = f;
    return q;
}

int quantity::sign() const {
    auto const v = evaluate(text_, computed_).value;
    return v.is_zero() ? 0 : v.negative ? -1 : 1;
}

std::int64_t quantity::scaled_value(int scale) const {
    auto v = evaluate(text_, computed_).value;
    v.exponent -= v.is_zero() ? 0 : scale;
    return v.to_int64();
}

quantity& quantity::operator+=(quantity const& other) {
    auto const a = evaluate(text_, computed_);
    auto const b = evaluate(other.text_, other.computed_);
    computed_ = a.value.is_zero() ? b.form : a.form;
    text_ = canonical_text(a.value + b.value, *computed_);
    return *this;
}

quantity& quantity::operator-=(quantity const& other) { return *this += -other; }

quantity& quantity::operator*=(std::int64_t factor) {
    auto const a = evaluate(text_, computed_);
    computed_ = a.form;
    text_ = canonical_text(a.value * decimal::of(factor, 0), a.form);
    return *this;
}

quantity quantity::operator-() const {
    auto a = evaluate(text_, computed_);
    a.value.negative = !a.value.negative && !a.value.is_zero();
    quantity q(canonical_text(a.value, a.form));
    q.computed_ = a.form;
    return q;
}

std::weak_ordering operator<=>(quantity const& a, quantity const& b) {
    if (a.text_ == b.text_) return std::weak_ordering::equivalent;
    return evaluate(a.text_, {}).value <=> evaluate(b.text_, {}).value;
}

bool parse_scalar(std::string_view s, quantity& out) {
    auto q = quantity::parse(s);
    if (!q) return false;
    out = *std::move(q);
    return true;
}

void print_scalar(quantity const& q, std::string& out) { out += q.text(); }

} // namespace kftrain
