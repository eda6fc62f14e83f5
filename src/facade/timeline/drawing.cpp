#include "facade/timeline/drawing.hpp"

#include "base/code_points.hpp"
#include "model/json/json_text.hpp"

#include <algorithm>

namespace kftrain {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// @par Upstream XML 1.0, 2.2
bool is_harmful(unsigned code) { return steers_terminal(code) || code == 0xFFFE || code == 0xFFFF; }

} // namespace

std::string plain_text(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        auto const size = detail::utf8_sequence(text.data() + i, text.data() + text.size());
        auto const character = text.substr(i, std::max<std::size_t>(size, 1));
        i += character.size();
        if (character == "\n" || character == "\t")
            out += ' ';
        else
            out += size == 0 || is_harmful(code_point_of(character)) ? replacement : character;
    }
    return out;
}

std::string xml_text(std::string_view text) {
    std::string out;
    for (char const c : plain_text(text)) switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        default: out += c;
        }
    return out;
}

std::string shortened_to(std::string_view text, std::size_t characters) {
    if (characters_of(text) <= characters) return std::string(text);
    return std::string(first_characters(text, characters - 1)) + "…";
}

std::string duration_text(std::int64_t seconds) {
    constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour;
    auto const pair = [](std::int64_t big, char unit, std::int64_t rest, char rest_unit) {
        auto text = std::to_string(big) + unit;
        return rest == 0 ? text : text + std::to_string(rest) + rest_unit;
    };
    if (seconds < minute) return std::to_string(seconds) + 's';
    if (seconds < hour) return pair(seconds / minute, 'm', seconds % minute, 's');
    if (seconds < day) return pair(seconds / hour, 'h', seconds % hour / minute, 'm');
    return pair(seconds / day, 'd', seconds % day / hour, 'h');
}

} // namespace kftrain
