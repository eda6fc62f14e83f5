#include "model/json/object_skip.hpp"

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kftrain::detail {

#if defined(__x86_64__)
namespace {

using mask = std::uint64_t; ///< one bit for each of 64 bytes, the first one lowest

struct block {
    mask quote, backslash, open, close, colon, comma, other;
};

// Not lambdas: those would not be built for the processor of the function around them.
#define KFTRAIN_AVX2 __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define KFTRAIN_AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt,pclmul")))

struct by_16 {
    static mask equal(char const* p, char c) noexcept {
        mask m = 0;
        for (unsigned i = 0; i < 64; i += 16) m |= bits(_mm_cmpeq_epi8(load(p + i), _mm_set1_epi8(c))) << i;
        return m;
    }
    /// Control characters and, as bytes are signed here, what is beyond ASCII.
    static mask below_space(char const* p) noexcept {
        mask m = 0;
        for (unsigned i = 0; i < 64; i += 16) m |= bits(_mm_cmplt_epi8(load(p + i), _mm_set1_epi8(' '))) << i;
        return m;
    }
    static std::size_t count(mask m) noexcept { // no instruction that every processor has
        m -= (m >> 1U) & 0x5555555555555555U;
        m = (m & 0x3333333333333333U) + ((m >> 2U) & 0x3333333333333333U);
        return ((m + (m >> 4U)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56U;
    }

    /// For each bit, whether an odd number of bits up to it are set.
    static mask parity(mask m) noexcept {
        for (unsigned n = 1; n < 64; n *= 2) m ^= m << n;
        return m;
    }

private:
    static __m128i load(char const* p) noexcept { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(p)); }
    static mask bits(__m128i v) noexcept { return static_cast<unsigned>(_mm_movemask_epi8(v)); }
};

struct by_32 {
    KFTRAIN_AVX2 static mask equal(char const* p, char c) noexcept {
        return bits(_mm256_cmpeq_epi8(load(p), _mm256_set1_epi8(c))) |
               bits(_mm256_cmpeq_epi8(load(p + 32), _mm256_set1_epi8(c))) << 32U;
    }
    KFTRAIN_AVX2 static mask below_space(char const* p) noexcept {
        return bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(' '), load(p))) |
               bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(' '), load(p + 32))) << 32U;
    }
    KFTRAIN_AVX2 static std::size_t count(mask m) noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(m)); }
    /// Multiplying by all ones without carries adds to each bit those below it.
    KFTRAIN_AVX2 static mask parity(mask m) noexcept {
        return static_cast<mask>(_mm_cvtsi128_si64(
            _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(m)), _mm_set1_epi8(-1), 0)));
    }

private:
    KFTRAIN_AVX2 static __m256i load(char const* p) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p));
    }
    KFTRAIN_AVX2 static mask bits(__m256i v) noexcept { return static_cast<unsigned>(_mm256_movemask_epi8(v)); }
};

struct by_64 {
    KFTRAIN_AVX512 static mask equal(char const* p, char c) noexcept {
        return _mm512_cmpeq_epi8_mask(load(p), _mm512_set1_epi8(c));
    }
    KFTRAIN_AVX512 static mask below_space(char const* p) noexcept {
        return _mm512_cmplt_epi8_mask(load(p), _mm512_set1_epi8(' '));
    }
    KFTRAIN_AVX512 static std::size_t count(mask m) noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(m)); }
    KFTRAIN_AVX512 static mask parity(mask m) noexcept {
        return static_cast<mask>(_mm_cvtsi128_si64(
            _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(m)), _mm_set1_epi8(-1), 0)));
    }

private:
    KFTRAIN_AVX512 static __m512i load(char const* p) noexcept { return _mm512_loadu_si512(p); }
};

/// The state at the end of a block, for the next block. Each is 0 or 1, `in_string` all bits.
struct carried {
    mask escape = 0, in_string = 0, key = 0;
    mask open = 0, close = 0, colon = 0, comma = 0, key_end = 0, value_end = 0;
};

/// The bytes behind those of `m`; `carry` moves on.
mask behind(mask m, mask& carry) noexcept {
    mask const r = m << 1U | carry;
    carry = m >> 63U;
    return r;
}

/// The bytes behind a backslash that is no such byte itself; `carry`: the first one is.
mask escaped_bytes(mask backslash, mask& carry) noexcept {
    constexpr mask odd = 0xAAAAAAAAAAAAAAAAU;
    // A run of backslashes alternates; the subtraction carries the pattern through each run at once.
    mask const starts = backslash & ~carry;
    mask const pattern = (((starts << 1U) | odd) - starts) ^ odd;
    mask const escaped = pattern ^ (backslash | carry);
    carry = (pattern & backslash) >> 63U;
    return escaped;
}

template <class Bytes>
[[gnu::always_inline]] inline char const* skip(char const* p, char const* end, std::size_t levels) noexcept {
    carried c;
    std::size_t depth = 0;
    for (; end - p >= 64; p += 64) {
        block b{Bytes::equal(p, '"'), Bytes::equal(p, '\\'), Bytes::equal(p, '{'), Bytes::equal(p, '}'),
                Bytes::equal(p, ':'), Bytes::equal(p, ','),  Bytes::below_space(p)};
        mask escaped = c.escape;
        if ((b.backslash | c.escape) != 0) {
            escaped = escaped_bytes(b.backslash, c.escape);
            if ((escaped & ~(b.quote | b.backslash)) != 0) return nullptr; // \n, \u...
            b.quote &= ~escaped;
        }
        // Strings with their first quote, without the last one.
        mask const text = Bytes::parity(b.quote) ^ c.in_string;
        mask const starts = b.quote & text;
        mask const ends = b.quote & ~text;
        c.in_string = (text >> 63U) != 0 ? ~mask(0) : 0;
        mask const outside = ~(text | ends);
        b.open &= outside;
        b.close &= outside;
        b.colon &= outside;
        b.comma &= outside;
        mask wrong = b.other | (outside & ~(b.open | b.close | b.colon | b.comma));

        // A string behind `{` or `,` is a key. Adding its first bit to the run of its bits carries to its end.
        mask const behind_open = behind(b.open, c.open);
        mask const behind_comma = behind(b.comma, c.comma);
        mask const behind_colon = behind(b.colon, c.colon);
        mask const keys = starts & (behind_open | behind_comma);
        mask sum = 0;
        mask const overflow = __builtin_add_overflow(text, keys, &sum) ? 1 : 0;
        mask const overflow2 = __builtin_add_overflow(sum, c.key, &sum) ? 1 : 0;
        c.key = overflow | overflow2;
        mask const key_ends = ends & sum;
        mask const behind_key = behind(key_ends, c.key_end);
        mask const behind_value = behind(ends & ~key_ends, c.value_end) | behind(b.close, c.close);
        wrong |= behind_open & ~(starts | b.close);
        wrong |= behind_comma & ~starts;
        wrong |= behind_colon & ~(starts | b.open);
        wrong |= behind_key ^ b.colon;
        wrong |= behind_value & ~(b.comma | b.close);

        auto const opened = Bytes::count(b.open);
        auto const closed = Bytes::count(b.close);
        if (depth + opened > levels) return nullptr;
        if (closed >= depth)
            for (mask rest = b.close; rest != 0; rest &= rest - 1) {
                mask const up_to = rest ^ (rest - 1); // this bracket and what is before it
                auto const now = depth + Bytes::count(b.open & up_to);
                if (now == Bytes::count(b.close & up_to))
                    return (wrong & up_to) == 0 ? p + std::countr_zero(rest) + 1 : nullptr;
            }
        if (wrong != 0) return nullptr;
        depth += opened - closed;
    }
    return nullptr;
}

KFTRAIN_AVX2 char const* skip_by_32(char const* p, char const* end, std::size_t levels) noexcept {
    return skip<by_32>(p, end, levels);
}

KFTRAIN_AVX512 char const* skip_by_64(char const* p, char const* end, std::size_t levels) noexcept {
    return skip<by_64>(p, end, levels);
}

#undef KFTRAIN_AVX2
#undef KFTRAIN_AVX512

skip_width widest() noexcept {
    bool const common =
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
    if (common && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return skip_width::bytes_64;
    return common && __builtin_cpu_supports("avx2") ? skip_width::bytes_32 : skip_width::bytes_16;
}

} // namespace

skip_width widest_skip() noexcept {
    static skip_width const w = widest();
    return w;
}

char const* skip_object_of_names(char const* p, char const* end, std::size_t levels, skip_width width) noexcept {
    switch (width) {
    case skip_width::bytes_64: return skip_by_64(p, end, levels);
    case skip_width::bytes_32: return skip_by_32(p, end, levels);
    case skip_width::bytes_16: break;
    }
    return skip<by_16>(p, end, levels);
}

#else

skip_width widest_skip() noexcept { return skip_width::bytes_16; }

char const* skip_object_of_names(char const*, char const*, std::size_t, skip_width) noexcept { return nullptr; }

#endif

} // namespace kftrain::detail
