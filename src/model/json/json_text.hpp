#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_TEXT_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_TEXT_HPP

#include "base/utf8.hpp"

#include <kftrain/model/position.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// Appends `s` as a JSON string; only `"`, `\` and control characters are escaped.
void append_string(std::string_view s, std::string& out);
void append_number(std::int64_t v, std::string& out);
/// As Go's encoding/json spells it; `null` when not finite.
void append_number(double v, std::string& out);

/// Appends `.key`, or `["key"]` when the key holds more than letters, digits, `_` and `-`.
void append_path_key(std::string_view key, std::string& path);
void append_path_index(std::size_t index, std::string& path);

/// For messages: the text as a JSON string, cut at 64 bytes between characters.
std::string quoted_for_message(std::string_view s);

/// Line, and column in bytes.
text_position position_of(std::string_view text, std::size_t offset) noexcept;

/// Writes compact JSON from events.
class raw_writer {
public:
    explicit raw_writer(std::string& out) : out_(out) {}

    void begin(char bracket) {
        separate();
        out_ += bracket;
    }
    void end(char bracket) { out_ += bracket; }
    void key(std::string_view k) {
        string(k);
        out_ += ':';
    }
    void string(std::string_view s) {
        separate();
        append_string(s, out_);
    }
    void token(std::string_view t) {
        separate();
        out_.append(t);
    }

private:
    // No complete value ends in one of these, so the last byte shows whether a value went before.
    void separate() {
        if (out_.empty()) return;
        if (char const c = out_.back(); c != '{' && c != '[' && c != ':' && c != ',') out_ += ',';
    }

    std::string& out_;
};

} // namespace kftrain::detail

#endif
