#ifndef KFTRAIN_SRC_KUBE_WATCH_JSON_FRAME_HPP
#define KFTRAIN_SRC_KUBE_WATCH_JSON_FRAME_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::kube::detail {

/** Finds the end of a JSON object in bytes that arrive in pieces. It checks the order of strings, brackets and
    separators, so that a broken object is found where it breaks, and the objects after it are not lost. */
class json_frame {
public:
    enum class state { incomplete, complete, broken };

    /// Reads on in `bytes`, which begins with the object and has grown since the last call.
    state read(std::string_view bytes) {
        for (; read_ != bytes.size(); ++read_) {
            if (!take(bytes[read_])) return state::broken;
            if (open_.empty()) return ++read_, state::complete;
        }
        return state::incomplete;
    }
    /// How many bytes were read.
    std::size_t size() const noexcept { return read_; }

private:
    enum class token { none, string, escape, literal };

    bool take(char c) {
        if (token_ == token::escape) return token_ = token::string, true;
        if (token_ == token::string) {
            if (c == '\\') token_ = token::escape;
            if (c == '"') token_ = token::none;
            return static_cast<unsigned char>(c) >= 0x20;
        }
        if (is_literal_character(c)) {
            if (open_.empty() || (token_ == token::none && has_value_)) return false;
            token_ = token::literal;
            return has_value_ = true;
        }
        token_ = token::none;
        switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': return !open_.empty();
        case '{':
        case '[':
            if (has_value_ || (c == '[' && open_.empty())) return false;
            open_ += c;
            return true;
        case '}':
        case ']':
            if (open_.empty() || open_.back() != (c == '}' ? '{' : '[')) return false;
            open_.pop_back();
            return has_value_ = true;
        case '"':
            if (open_.empty() || has_value_) return false;
            token_ = token::string;
            return has_value_ = true;
        case ',':
        case ':': return std::exchange(has_value_, false);
        default: return false;
        }
    }
    static bool is_literal_character(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
               c == '.';
    }

    std::string open_; ///< brackets
    std::size_t read_ = 0;
    token token_ = token::none;
    bool has_value_ = false; ///< a name or a value has ended and no separator came since
};

} // namespace kftrain::kube::detail

#endif
