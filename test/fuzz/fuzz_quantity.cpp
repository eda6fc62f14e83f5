#include "fuzz/documents.hpp"

#include <kftrain/model/quantity.hpp>

#include <array>
#include <vector>

namespace fuzz {

using namespace kftrain;

namespace {

using format = quantity::format;

/// Binary suffixes end at 2^63-1: larger values are capped when they are read, as upstream does.
bool is_capped(quantity const& q) { return q < quantity("-1e18") || q > quantity("1e18"); }

void stands_for_itself(quantity const& q) {
    std::string const canonical = q.canonical();
    auto const again = quantity::parse(canonical);
    if (q.text().empty()) return;
    require(again.has_value(), "the canonical form is no quantity: " + canonical);
    require(*again == q, "the canonical form is another value: " + canonical);
    require(again->canonical() == canonical, "the canonical form has another: " + again->canonical());
    bool const binary = q.text().ends_with('i');
    for (auto const f : {format::decimal_si, format::binary_si, format::decimal_exponent}) {
        auto const converted = q.as(f);
        if (f == format::binary_si && is_capped(q)) continue;
        require(converted == q, "another format is another value: " + converted.text());
        require(quantity::parse(converted.text()) == converted, "written differently: " + converted.text());
    }
    require((q <=> quantity()) == (q.sign() <=> 0), "its sign is not how it compares with zero");
    if (binary && is_capped(q)) return;
    require(-(-q) == q, "negated twice it is another value");
    require((q + -q).sign() == 0 && (q - q).sign() == 0, "less itself it is not zero");
    require(q + q == q * 2, "added to itself it is not its double");
    require(q * 0 == quantity() && q * 1 == q && q * -1 == -q, "multiplied by 0, 1 or -1 it is something else");
    (void)q.milli_value();
}

void go_together(quantity const& a, quantity const& b) {
    require((a == b) == (b == a) && (a < b) == (b > a), "the order depends on the side");
    bool const binary = a.text().ends_with('i') || b.text().ends_with('i');
    if (binary && (is_capped(a) || is_capped(b))) return;
    require(a + b == b + a, "addition is not commutative");
    require((a + b) - b == a, "what was added cannot be taken away");
    require((a - b).sign() == ((a <=> b) < 0 ? -1 : (a <=> b) > 0 ? 1 : 0), "the difference has the wrong sign");
    require((a + b) * 3 == a * 3 + b * 3, "multiplication does not distribute");
}

} // namespace

/// Quantities line by line.
void try_quantity(std::string_view text) {
    std::vector<quantity> read;
    while (!text.empty() && read.size() < 4) {
        auto const line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        auto q = quantity::parse(line);
        require(q.has_value() == quantity::why_invalid(line).empty(), "a quantity with a reason against it");
        if (!q) continue;
        require(q->text() == line, "the spelling is not kept");
        stands_for_itself(*q);
        read.push_back(*std::move(q));
    }
    for (auto const& a : read)
        for (auto const& b : read) go_together(a, b);
}

} // namespace fuzz
