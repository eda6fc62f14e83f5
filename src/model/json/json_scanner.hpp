#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_SCANNER_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_SCANNER_HPP

#include "model/json/struct_layout.hpp"
#include "model/scalars/byte_scan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kftrain::detail {

/** Reads well-formed JSON from the front of a text, token by token. Its user keeps the place `p` in the text in a local
    variable, as a member would be written to memory and read again for each token. Functions that take a place and give
    one return null when they find anything that they do not take for well-formed. The scanner never takes what RFC 8259
    forbids, but leaves a few allowed things alone (numbers that are hard to read): its users have a second, complete
    parser for what is rejected, which then also reports why. See docs/design/decisions/0008-json-scanner.md. */
class json_scanner {
public:
    json_scanner(std::string_view text, std::size_t max_depth) noexcept
        : begin_(text.data()), end_(text.data() + text.size()), max_depth_(max_depth) {}

    char const* begin() const noexcept { return begin_; }
    char const* end() const noexcept { return end_; }
    std::size_t rest(char const* p) const noexcept { return static_cast<std::size_t>(end_ - p); }

    /// Moves `p` to the next byte that is no white space, and gives that; 0 at the end.
    [[gnu::always_inline]] inline char peek(char const*& p) noexcept {
        if (p != end_ && static_cast<unsigned char>(*p) > ' ') return *p;
        p = behind_space(p);
        return p == end_ ? '\0' : *p;
    }
    bool take(char const*& p, char c) noexcept {
        if (peek(p) != c) return false;
        ++p;
        return true;
    }

    /// Brackets of the caller's, which count for the depth.
    bool open() noexcept { return depth_++ < max_depth_; }
    void close() noexcept { --depth_; }
    std::size_t depth() const noexcept { return depth_; }

    /// At a quote. `out` is valid until the next string, or as long as the text.
    char const* string(char const* p, std::string_view& out) {
        char const* const body = ++p;
        p = end_of_plain(p, end_);
        bool const plain = p != end_ && *p == '"';
        if (!plain && (p = end_of_string(p)) == nullptr) return nullptr;
        out = {body, static_cast<std::size_t>(p - body)};
        if (!plain) out = unescape(out);
        return p + 1;
    }
    /// Passes the name of a field and its colon, if they are next and not at the very end.
    bool take_name(char const*& p, field_layout const& f) const noexcept {
        unsigned const n = f.quoted_size;
        if (rest(p) < field_layout::longest || n == 0 || !same_bytes(p, f.quoted.data(), n < 16 ? n : 16U))
            return false;
        if (n > 16 && !same_bytes(p + 16, f.quoted.data() + 16, n < 32 ? n - 16 : 16U)) return false;
        if (n > 32 && std::memcmp(p + 32, f.quoted.data() + 32, n - 32) != 0) return false;
        p += n;
        return true;
    }
    /// At `t`, `f` or `n`.
    char const* literal(char const* p, std::string_view w) const noexcept {
        return rest(p) < w.size() || std::memcmp(p, w.data(), w.size()) != 0 ? nullptr : p + w.size();
    }
    /// At a digit or minus. Whole numbers of up to 18 digits, without -0.
    char const* integer(char const* p, std::int64_t& out) const noexcept;
    /// The same, any number with an exponent of up to three digits.
    char const* number(char const* p) const noexcept;
    /// Passes a whole value of any shape, and checks it.
    char const* skip(char const* p) noexcept {
        plain_ = true;
        skipped_here_ = 0;
        return skip_value(p, max_depth_ - depth_);
    }
    /// Appends a whole value in the format of raw_writer to `out`.
    char const* copy(char const* p, std::string& out);

private:
    char const* behind_space(char const* p) noexcept {
        if (p == end_ || static_cast<unsigned char>(*p) > ' ') return p;
        while (p != end_ && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
            plain_ = false;
            ++p;
        }
        return p;
    }
    char const* behind_escape(char const* p) noexcept;
    char const* end_of_string(char const* p) noexcept;
    char const* skip_string(char const* p) noexcept;
    char const* skip_value(char const* p, std::size_t levels) noexcept;
    char const* skip_names(char const* p, std::size_t levels) noexcept;
    std::string_view unescape(std::string_view body);

    char const* begin_;
    char const* end_;
    std::size_t depth_ = 0;
    std::size_t max_depth_;
    bool plain_ = true; ///< nothing was passed that raw_writer would spell otherwise
    std::string unescaped_;

    /// An object that was passed and found right. What comes at the same place of the next item is often the same text.
    struct passed {
        std::string_view text;
        std::size_t levels = 0; ///< at most as many were needed
    };
    std::array<passed, 4> passed_{};
    std::size_t skipped_here_ = 0; ///< such objects since skip() began
};

} // namespace kftrain::detail

#endif
