#ifndef KFTRAIN_SRC_MODEL_JSON_SCANNER_HPP
#define KFTRAIN_SRC_MODEL_JSON_SCANNER_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kftrain::detail {

/// The first byte from `p` on that is no plain part of a JSON string: a quote, a backslash, a control character or a part
/// of a character beyond ASCII; `end` if there is none.
inline char const* end_of_plain(char const* p, char const* end) noexcept {
#if defined(__SSE2__)
    __m128i const quote = _mm_set1_epi8('"');
    __m128i const backslash = _mm_set1_epi8('\\');
    __m128i const space = _mm_set1_epi8(' ');
    for (; end - p >= 16; p += 16) {
        __m128i const v = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        // Signed: bytes beyond ASCII are less than a space, too.
        __m128i const found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)),
                                           _mm_cmplt_epi8(v, space));
        if (int const mask = _mm_movemask_epi8(found); mask != 0) return p + __builtin_ctz(static_cast<unsigned>(mask));
    }
#endif
    while (p != end && *p != '"' && *p != '\\' && static_cast<signed char>(*p) >= ' ') ++p;
    return p;
}

/** Reads well-formed JSON from the front of a text, token by token. Every function returns false when it finds anything
    that it does not take for well-formed; the scanner is of no use then. It never takes what RFC 8259 forbids, but leaves
    a few allowed things alone (numbers that are hard to read): whoever uses it has a second, complete parser for what is
    refused, which then also says why. See docs/design/decisions/0008-json-scanner.md. */
class json_scanner {
public:
    json_scanner(std::string_view text, std::size_t max_depth) noexcept
        : p_(text.data()), end_(text.data() + text.size()), begin_(text.data()), max_depth_(max_depth) {}

    /// The next byte that is no white space, 0 at the end.
    char peek() noexcept {
        if (p_ != end_ && static_cast<unsigned char>(*p_) > ' ') return *p_;
        return peek_behind_space();
    }
    /// Passes the next byte, which peek() has shown.
    void pass() noexcept { ++p_; }
    bool take(char c) noexcept {
        if (peek() != c) return false;
        ++p_;
        return true;
    }
    /// True at the end of the text, white space left out.
    bool done() noexcept { return peek() == 0 && p_ == end_; }
    std::size_t offset() const noexcept { return static_cast<std::size_t>(p_ - begin_); }
    std::size_t rest() const noexcept { return static_cast<std::size_t>(end_ - p_); }

    /// Brackets of the caller's, which count for the depth.
    bool open() noexcept {
        ++p_;
        return depth_++ < max_depth_;
    }
    void close() noexcept {
        ++p_;
        --depth_;
    }
    std::size_t depth() const noexcept { return depth_; }

    /// At a quote. The result is valid until the next string, or as long as the text.
    bool string(std::string_view& out) {
        bool escaped = false;
        std::string_view body;
        if (!string_body(body, escaped)) return false;
        out = escaped ? unescape(body) : body;
        return true;
    }
    /// At `t`, `f` or `n`.
    bool word(std::string_view w) noexcept {
        if (std::string_view(p_, rest()).substr(0, w.size()) != w) return false;
        p_ += w.size();
        return true;
    }
    /// At a digit or minus. Whole numbers of up to 18 digits, without -0.
    bool integer(std::int64_t& out) noexcept;
    /// The same, any number with an exponent of up to three digits.
    bool number(std::string_view& out) noexcept;

    /// Passes a whole value of any shape, and checks it.
    bool skip() noexcept {
        plain_ = true;
        return skip_value();
    }
    /// Appends a whole value in the spelling of raw_writer.
    bool copy(std::string& out);

private:
    char peek_behind_space() noexcept {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) {
            plain_ = false;
            ++p_;
        }
        return p_ == end_ ? '\0' : *p_;
    }
    bool string_body(std::string_view& out, bool& escaped) noexcept {
        char const* const begin = ++p_;
        p_ = end_of_plain(p_, end_);
        if ((p_ == end_ || *p_ != '"') && !hard_string(escaped)) return false;
        out = {begin, static_cast<std::size_t>(p_++ - begin)};
        return true;
    }
    bool hard_string(bool& escaped) noexcept;
    bool escape() noexcept;
    bool hex4(unsigned& out) noexcept;
    bool skip_value() noexcept;
    std::string_view unescape(std::string_view body);

    char const* p_;
    char const* end_;
    char const* begin_;
    std::size_t depth_ = 0;
    std::size_t max_depth_;
    bool plain_ = true; ///< nothing was passed that raw_writer would spell otherwise
    std::string unescaped_;
};

} // namespace kftrain::detail

#endif
