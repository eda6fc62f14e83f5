#ifndef KFTRAIN_SRC_MODEL_SCALARS_BYTE_SCAN_HPP
#define KFTRAIN_SRC_MODEL_SCALARS_BYTE_SCAN_HPP

/** @file
    Search in JSON strings, 16 bytes at a time where the processor can. */

#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kftrain::detail {

#if defined(__SSE2__)
/// One bit for each of 16 bytes. Inlined in development builds, too, like other steps that the scanner and the output
/// take for each token.
[[gnu::always_inline]] inline unsigned not_plain(char const* p) noexcept {
    __m128i const v = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
    // Signed: bytes beyond ASCII are less than a space, too.
    __m128i const found =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))),
                     _mm_cmplt_epi8(v, _mm_set1_epi8(' ')));
    return static_cast<unsigned>(_mm_movemask_epi8(found));
}
#endif

/// Finds the first byte from `p` on that needs attention in a JSON string: a quote, a backslash, a control character or
/// a part of a character beyond ASCII; `end` if there is none.
inline char const* end_of_plain(char const* p, char const* end) noexcept {
#if defined(__SSE2__)
    // Two at once: most strings end within them, and a jump that is always taken costs least.
    for (; end - p >= 32; p += 32)
        if (unsigned const found = not_plain(p) | not_plain(p + 16) << 16U; found != 0) return p + __builtin_ctz(found);
    if (end - p >= 16) {
        if (unsigned const found = not_plain(p); found != 0) return p + __builtin_ctz(found);
        p += 16;
    }
#endif
    while (p != end && *p != '"' && *p != '\\' && static_cast<signed char>(*p) >= ' ') ++p;
    return p;
}

/// The first byte from `p` on that a JSON string must escape: a quote, a backslash, a control character; `end` if none.
inline char const* end_of_unescaped(char const* p, char const* end) noexcept {
    for (; (p = end_of_plain(p, end)) != end && static_cast<unsigned char>(*p) >= 0x80; ++p) {}
    return p;
}

/// Whether the first `n` of 16 readable bytes are the same.
inline bool same_bytes(char const* a, char const* b, unsigned n) noexcept {
#if defined(__SSE2__)
    __m128i const equal = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<__m128i const*>(a)),
                                         _mm_loadu_si128(reinterpret_cast<__m128i const*>(b)));
    return (~static_cast<unsigned>(_mm_movemask_epi8(equal)) & ((1U << n) - 1)) == 0;
#else
    return std::memcmp(a, b, n) == 0;
#endif
}

} // namespace kftrain::detail

#endif
