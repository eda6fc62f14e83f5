#ifndef KFTRAIN_SRC_BASE_CODE_POINTS_HPP
#define KFTRAIN_SRC_BASE_CODE_POINTS_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kftrain {

/// Returns the code point of a valid UTF-8 sequence.
inline unsigned code_point_of(std::string_view character) {
    auto const first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first;
    unsigned code = first & (0x7FU >> character.size());
    for (char const c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
    return code;
}

/// Returns whether it is a control character or changes the direction of text, which would hide the real text.
/// @par Upstream Unicode Standard Annex 9, 2.1 to 2.5
constexpr bool steers_terminal(unsigned code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/// Returns whether a byte of a text in UTF-8 begins a character.
constexpr bool begins_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }

/// Returns the number of characters of a text in UTF-8.
inline std::size_t characters_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), &begins_character));
}

/// Returns the beginning of the character that the byte at this offset belongs to.
inline std::size_t at_character(std::string_view text, std::size_t offset) noexcept {
    while (offset != 0 && offset < text.size() && !begins_character(text[offset])) --offset;
    return offset;
}

/// Returns the first characters of a text, at most this many.
inline std::string_view first_characters(std::string_view text, std::size_t most) noexcept {
    std::size_t end = 0;
    for (std::size_t n = 0; end < text.size(); ++end)
        if (begins_character(text[end]) && n++ == most) break;
    return text.substr(0, end);
}

} // namespace kftrain

#endif
