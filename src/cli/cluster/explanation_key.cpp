#include "cli/cluster/explanation_key.hpp"

#include "base/ascii.hpp"

#include <array>
#include <string_view>

namespace kftrain::cli {
namespace {

/// The length of the duration at the beginning of the text, such as `15 min`; 0: there is none.
std::size_t duration_length(std::string_view text) {
    constexpr std::array<std::string_view, 3> units{" s", " min", " h"};
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == 0) return 0;
    for (auto const unit : units) {
        if (!text.substr(end).starts_with(unit)) continue;
        auto const rest = text.substr(end + unit.size());
        if (rest.empty() || std::string_view(" :;,.").find(rest.front()) != rest.npos) return end + unit.size();
    }
    return 0;
}

std::string without_durations(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        auto length = duration_length(text);
        if (length == 0) {
            // A number is kept as a whole: its end is no duration.
            while (length < text.size() && is_digit(text[length])) ++length;
            if (length == 0) length = 1;
            out.append(text.substr(0, length));
        }
        text.remove_prefix(length);
    }
    return out;
}

} // namespace

std::string key_of(explanation const& e) {
    std::string key(to_string(e.state.phase));
    for (auto const& c : e.causes) {
        key.append("\n").append(to_string(c.kind)).append(" ").append(std::to_string(c.affected));
        for (auto const& m : c.members) key.append(" ").append(m.role).append("/").append(std::to_string(m.index));
        key.append(" ").append(c.container).append(" ").append(std::to_string(c.code.value_or(0)));
        key.append(" ").append(std::to_string(c.restarts.value_or(0))).append(" ").append(c.decisive_line);
        key.append(" ").append(without_durations(c.summary));
    }
    for (auto const& line : e.missing) key.append("\n").append(line);
    return key;
}

} // namespace kftrain::cli
