#include "model/scalars/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

namespace kftrain::detail {
namespace {

unsigned digit(char c) noexcept { return static_cast<unsigned>(c - '0'); }
char to_char(unsigned d) noexcept { return static_cast<char>('0' + d); }

/// Of numbers without leading zeros, and of equal exponents.
std::strong_ordering compare_integers(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return a.size() <=> b.size();
    return a.compare(b) <=> 0;
}

std::string add(std::string_view a, std::string_view b) {
    if (a.size() < b.size()) std::swap(a, b);
    std::string sum(a.size() + 1, '0');
    unsigned carry = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        unsigned const d = digit(a[a.size() - 1 - i]) + (i < b.size() ? digit(b[b.size() - 1 - i]) : 0) + carry;
        sum[sum.size() - 1 - i] = to_char(d % 10);
        carry = d / 10;
    }
    sum.front() = to_char(carry);
    return sum;
}

/// `a` is not less than `b`.
std::string subtract(std::string_view a, std::string_view b) {
    std::string rest(a.size(), '0');
    unsigned borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        unsigned const take = (i < b.size() ? digit(b[b.size() - 1 - i]) : 0) + borrow;
        unsigned const have = digit(a[a.size() - 1 - i]);
        borrow = have < take ? 1 : 0;
        rest[rest.size() - 1 - i] = to_char(have + borrow * 10 - take);
    }
    return rest;
}

} // namespace

decimal decimal::of(bool negative, std::string_view digits, int exponent) {
    decimal d;
    auto const first = digits.find_first_not_of('0');
    if (first == std::string_view::npos) return d;
    auto const last = digits.find_last_not_of('0');
    d.negative = negative;
    d.digits = digits.substr(first, last - first + 1);
    d.exponent = exponent + static_cast<int>(digits.size() - 1 - last);
    return d;
}

decimal decimal::of(std::int64_t value, int exponent) {
    auto const text = std::to_string(value);
    bool const minus = value < 0;
    return of(minus, std::string_view(text).substr(minus ? 1 : 0), exponent);
}

bool decimal::round_away(int to_exponent) {
    if (is_zero() || exponent >= to_exponent) return true;
    auto const drop = static_cast<std::size_t>(to_exponent - exponent);
    // The last digit is not zero, so that something is lost in any case.
    std::string const kept = drop < digits.size() ? digits.substr(0, digits.size() - drop) : std::string("0");
    *this = of(negative, add(kept, "1"), to_exponent);
    return false;
}

std::string decimal::integer_digits() const {
    return is_zero() ? std::string("0") : digits + std::string(static_cast<std::size_t>(exponent), '0');
}

std::int64_t decimal::to_int64() const {
    using limits = std::numeric_limits<std::int64_t>;
    auto const cap = negative ? limits::min() : limits::max();
    decimal whole = *this;
    whole.round_away(0);
    if (whole.is_zero()) return 0;
    if (whole.digits.size() + static_cast<std::size_t>(whole.exponent) > 19) return cap;
    auto const text = (negative ? "-" : "") + whole.integer_digits();
    std::int64_t v = 0;
    return std::from_chars(text.data(), text.data() + text.size(), v).ec == std::errc() ? v : cap;
}

void decimal::truncate() {
    if (exponent >= 0) return;
    auto const drop = static_cast<std::size_t>(-exponent);
    *this = of(negative, std::string_view(digits).substr(0, digits.size() - std::min(drop, digits.size())), 0);
}

decimal operator+(decimal const& a, decimal const& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    int const low = std::min(a.exponent, b.exponent);
    auto const x = a.digits + std::string(static_cast<std::size_t>(a.exponent - low), '0');
    auto const y = b.digits + std::string(static_cast<std::size_t>(b.exponent - low), '0');
    if (a.negative == b.negative) return decimal::of(a.negative, add(x, y), low);
    bool const a_is_larger = compare_integers(x, y) >= 0;
    return decimal::of(a_is_larger ? a.negative : b.negative, a_is_larger ? subtract(x, y) : subtract(y, x), low);
}

decimal operator*(decimal const& a, decimal const& b) {
    if (a.is_zero() || b.is_zero()) return {};
    // Columns of products; the shorter number bounds what a column can hold.
    std::vector<std::uint64_t> columns(a.digits.size() + b.digits.size(), 0);
    for (std::size_t i = 0; i < a.digits.size(); ++i)
        for (std::size_t k = 0; k < b.digits.size(); ++k)
            columns[i + k + 1] += std::uint64_t{digit(a.digits[i])} * digit(b.digits[k]);
    std::string product(columns.size(), '0');
    std::uint64_t carry = 0;
    for (std::size_t i = columns.size(); i-- != 0;) {
        carry += columns[i];
        product[i] = to_char(static_cast<unsigned>(carry % 10));
        carry /= 10;
    }
    return decimal::of(a.negative != b.negative, product, a.exponent + b.exponent);
}

std::strong_ordering operator<=>(decimal const& a, decimal const& b) noexcept {
    auto const sign = [](decimal const& d) { return d.is_zero() ? 0 : d.negative ? -1 : 1; };
    if (sign(a) != sign(b) || a.is_zero()) return sign(a) <=> sign(b);
    auto const& low = a.negative ? b : a;
    auto const& high = a.negative ? a : b;
    auto const top = [](decimal const& d) { return static_cast<std::int64_t>(d.digits.size()) + d.exponent; };
    if (top(low) != top(high)) return top(low) <=> top(high);
    return low.digits.compare(high.digits) <=> 0; // without trailing zeros the longer one of equal start is larger
}

bool divide_exactly(std::string& digits, unsigned divisor) {
    std::string quotient(digits.size(), '0');
    unsigned rest = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        rest = rest * 10 + digit(digits[i]);
        quotient[i] = to_char(rest / divisor);
        rest %= divisor;
    }
    if (rest != 0) return false;
    quotient.erase(0, std::min(quotient.find_first_not_of('0'), quotient.size() - 1));
    digits = std::move(quotient);
    return true;
}

std::string_view take_digits(std::string_view& s) noexcept {
    auto const found = s.substr(0, std::min(s.find_first_not_of("0123456789"), s.size()));
    s.remove_prefix(found.size());
    return found;
}

} // namespace kftrain::detail
