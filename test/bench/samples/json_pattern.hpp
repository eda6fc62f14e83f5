#ifndef KFTRAIN_TEST_BENCH_SAMPLES_JSON_PATTERN_HPP
#define KFTRAIN_TEST_BENCH_SAMPLES_JSON_PATTERN_HPP

#include <string>
#include <string_view>

namespace kftrain::bench {

/// JSON without the white space between its tokens, which is for the reader only.
inline std::string compact(std::string_view text) {
    std::string out;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (in_string && c == '\\') {
            out += text.substr(i++, 2);
            continue;
        }
        if (c == '"') in_string = !in_string;
        if (in_string || (c != ' ' && c != '\n')) out += c;
    }
    return out;
}

/** Appends `pattern` with what `value(NAME)` returns for each `@NAME@`. In images, `@` also stands for itself: a name
    is upper case. */
template <class Value> void fill(std::string_view pattern, Value&& value, std::string& out) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        char const next = i + 1 < pattern.size() ? pattern[i + 1] : ' ';
        if (pattern[i] != '@' || next < 'A' || next > 'Z') {
            out += pattern[i];
            continue;
        }
        std::size_t const end = pattern.find('@', i + 1);
        out += value(pattern.substr(i + 1, end - i - 1));
        i = end;
    }
}

} // namespace kftrain::bench

#endif
