#include <kftrain/convert/change.hpp>

#include <algorithm>

namespace kftrain::convert {

std::string_view to_string(fate f) noexcept {
    switch (f) {
    case fate::changed: return "changed";
    case fate::approximated: return "approximated";
    case fate::dropped: return "dropped";
    }
    return {};
}

bool loses_nothing(std::vector<change> const& changes) noexcept {
    return std::ranges::all_of(changes, [](change const& c) { return c.becomes == fate::changed; });
}

} // namespace kftrain::convert
