#include <kftrain/facade/update_plan.hpp>

#include "facade/plan/plan_update.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Of a list that is printed.
constexpr std::size_t most_shown = 10;
/// Of a value, in bytes.
constexpr std::size_t longest_value = 80;

std::string shortened(std::string const& text) {
    if (text.size() <= longest_value) return text;
    std::size_t end = longest_value;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end; // not within a character
    return text.substr(0, end) + "...";
}

std::string change_of(field_change const& f) {
    std::string line = "  ";
    if (f.before.text.empty())
        line += "+ " + f.path + ": " + shortened(f.after.text);
    else if (f.after.text.empty())
        line += "- " + f.path + ": " + shortened(f.before.text);
    else
        line += "~ " + f.path + ": " + shortened(f.before.text) + " -> " + shortened(f.after.text);
    return line;
}

std::string line_of(field_change const& f) {
    auto const line = change_of(f) + "  [" + std::string(to_string(f.effect));
    return line + (f.why.empty() ? "]" : ": " + f.why + "]");
}

std::string how_many(std::vector<field_change> const& fields) {
    return fields.size() == 1 ? "1 field differs" : std::to_string(fields.size()) + " fields differ";
}

template <class Items, class Print> void append(std::string& out, Items const& items, Print print) {
    for (std::size_t i = 0; i < std::min(items.size(), most_shown); ++i) out += "\n" + print(items[i]);
    if (items.size() > most_shown) out += "\n  and " + std::to_string(items.size() - most_shown) + " more";
}

} // namespace

std::string_view to_string(change_effect e) noexcept {
    switch (e) {
    case change_effect::none: return "none";
    case change_effect::in_place: return "in place";
    case change_effect::later: return "later";
    case change_effect::recreation: return "recreation";
    }
    return "";
}

std::string update_plan::to_string() const {
    if (empty()) return "nothing changes";
    std::string out;
    if (!exists)
        out = "the job does not exist: it would be created";
    else
        out = how_many(fields) + ", effect: " + std::string(kftrain::to_string(effect));
    append(out, fields, line_of);
    append(out, refusals, [](issue const& i) { return "  refused: " + i.message; });
    append(out, objects, [](object_change_plan const& o) { return "  " + o.verb + " " + o.kind + " " + o.name; });
    return out;
}

std::string joined_paths(std::vector<field_change> const& fields) {
    std::string out = how_many(fields);
    append(out, fields, change_of);
    return out;
}

} // namespace kftrain
