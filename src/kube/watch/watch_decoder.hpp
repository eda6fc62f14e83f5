#ifndef KFTRAIN_SRC_KUBE_WATCH_WATCH_DECODER_HPP
#define KFTRAIN_SRC_KUBE_WATCH_WATCH_DECODER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/change_kind.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::kube {
namespace detail {

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
    /// Returns how many bytes were read.
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

} // namespace detail

/// One event of a watch, its object still text.
struct watch_event {
    watch_event() = default;

    std::optional<change_kind> change; ///< nothing for a bookmark and for an error
    bool is_error = false;
    /// For an error: a `Status`, also one that came instead of an event. Valid until the next call of
    /// watch_decoder::feed().
    std::string_view object;

    bool is_bookmark() const noexcept { return !change && !is_error; }
};

/** Splits the bytes of a watch into events. Pure. The body is a stream of JSON objects: pieces may end anywhere, an
    event may span lines, and a line may contain several.
    @par Upstream apimachinery `pkg/watch`, `pkg/util/framer`; client-go `rest/watch/decoder.go` */
class watch_decoder {
public:
    static constexpr std::size_t default_event_limit = std::size_t(32) * 1024 * 1024;

    explicit watch_decoder(std::size_t event_limit = default_event_limit) : limit_(event_limit) {}

    void feed(std::string_view bytes);
    /** Returns the next complete event, or nothing if more bytes are needed.
        @par Errors `errc::too_large`; `errc::syntax` for what is no event, an event of an unknown type included. The
        stream is unusable afterwards. */
    result<std::optional<watch_event>> next();

    /** The same for callers that decode every object: if a line begins and ends as servers write events, its object is
        not checked, so that it is read only once. If it is not valid JSON, use exact() to find the content of the
        line. */
    result<std::optional<watch_event>> next_unread();
    /// Takes back the event that next_unread() returned last, and returns the one that next() would have returned.
    result<std::optional<watch_event>> exact();

    /// Bytes of an event that is not complete; at the end of a stream they are lost.
    std::size_t pending() const noexcept;

private:
    void skip_blanks();
    void move_to(std::size_t begin);
    std::optional<watch_event> take_usual_line();

    std::string buffer_;
    std::size_t begin_ = 0;      // of the event being received
    std::size_t last_ = 0;       // begin of the event returned last
    std::size_t no_newline_ = 0; // before this, from begin_ on
    detail::json_frame frame_;   // of the event being received
    bool exact_ = false;         // its line is not what it seems
    std::size_t limit_;
};

} // namespace kftrain::kube

#endif
