#ifndef KFTRAIN_SRC_MODEL_JSON_GO_RUNE_HPP
#define KFTRAIN_SRC_MODEL_JSON_GO_RUNE_HPP

#include <cstddef>
#include <string_view>

// The characters of texts as Go reads them.
namespace kftrain::go_text {

struct rune {
    char32_t value = 0;
    std::size_t bytes = 0; ///< 0: no valid UTF-8 here
};

/// Reads the first character of a text, which must not be empty.
rune read_rune(std::string_view);

/// Whether a character is a letter, mark, number, punctuation, symbol or the space. @par Upstream Go `unicode.IsPrint`
bool is_printable(char32_t);

} // namespace kftrain::go_text

#endif
