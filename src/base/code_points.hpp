#ifndef KFTRAIN_SRC_BASE_CODE_POINTS_HPP
#define KFTRAIN_SRC_BASE_CODE_POINTS_HPP

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

} // namespace kftrain

#endif
