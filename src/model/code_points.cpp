#include "model/code_points.hpp"

namespace kftrain {

std::u32string code_points(std::string_view s) {
    std::u32string out;
    for (std::size_t i = 0; i < s.size();) {
        auto const first = static_cast<unsigned char>(s[i]);
        std::size_t const n = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (n == 1 || i + n > s.size()) {
            out += static_cast<char32_t>(first < 0x80 ? first : 0xFFFD);
            ++i;
            continue;
        }
        char32_t v = first & (0x7Fu >> n);
        for (std::size_t k = 1; k < n; ++k) v = v << 6 | (static_cast<unsigned char>(s[i + k]) & 0x3Fu);
        out += v;
        i += n;
    }
    return out;
}

} // namespace kftrain
