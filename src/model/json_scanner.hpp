#ifndef KFTRAIN_SRC_MODEL_JSON_SCANNER_HPP
#define KFTRAIN_SRC_MODEL_JSON_SCANNER_HPP

#include "model/byte_scan.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kftrain::detail {

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
        char const* const begin = p_ + 1;
        char const* p = end_of_plain(begin, end_);
        bool const plain = p != end_ && *p == '"';
        if (!plain && (p = end_of_string(p)) == nullptr) return false;
        p_ = p + 1;
        out = {begin, static_cast<std::size_t>(p - begin)};
        if (!plain) out = unescape(out);
        return true;
    }
    /// Passes `text` if it is next and not at the very end; up to 15 bytes behind `text` must be readable, too.
    bool take_padded(std::string_view text) noexcept {
        std::size_t const n = text.size();
        if (rest() < n + 16 || !same_bytes(p_, text.data(), n < 16 ? static_cast<unsigned>(n) : 16U)) return false;
        if (n > 16 && std::memcmp(p_ + 16, text.data() + 16, n - 16) != 0) return false;
        p_ += text.size();
        return true;
    }
    /// At `t`, `f` or `n`.
    bool word(std::string_view w) noexcept { return word_at(p_, w); }
    /// At a digit or minus. Whole numbers of up to 18 digits, without -0.
    bool integer(std::int64_t& out) noexcept;
    /// The same, any number with an exponent of up to three digits.
    bool number(std::string_view& out) noexcept {
        char const* const begin = p_;
        if (!number_at(p_)) return false;
        out = {begin, static_cast<std::size_t>(p_ - begin)};
        return true;
    }

    /// Passes a whole value of any shape, and checks it.
    bool skip() noexcept {
        plain_ = true;
        p_ = skip_value(p_, max_depth_ - depth_);
        return p_ != nullptr;
    }
    /// Appends a whole value in the spelling of raw_writer.
    bool copy(std::string& out);

private:
    char peek_behind_space() noexcept {
        p_ = behind_space(p_);
        return p_ == end_ ? '\0' : *p_;
    }
    char const* behind_space(char const* p) noexcept {
        if (p == end_ || static_cast<unsigned char>(*p) > ' ') return p;
        while (p != end_ && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
            plain_ = false;
            ++p;
        }
        return p;
    }
    // These take and give a place, null for failure: a local variable is quicker than a member.
    char const* behind_escape(char const* p) noexcept;
    char const* end_of_string(char const* p) noexcept;
    char const* skip_string(char const* p) noexcept;
    char const* skip_value(char const* p, std::size_t levels) noexcept;
    bool number_at(char const*& p) const noexcept;
    bool word_at(char const*& p, std::string_view w) const noexcept;
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
