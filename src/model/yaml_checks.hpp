#ifndef KFTRAIN_SRC_MODEL_YAML_CHECKS_HPP
#define KFTRAIN_SRC_MODEL_YAML_CHECKS_HPP

/** @file
    What yaml-cpp 0.7 lets pass or gets wrong, looked at once more in the text. */

#include <cstddef>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// True if the plain key at `begin` has no `:` behind it: the parser takes a last line without one for a key.
bool lacks_colon(std::string_view text, std::size_t begin, std::size_t size);

/// True if a quote opens at `begin`, behind tags and anchors, and never closes: before a last newline the parser does
/// not mind, and the string swallows the rest of the text.
bool has_open_quote(std::string_view text, std::size_t begin);

/// `\N` and `\_` arrive as single bytes, and become UTF-8 here.
std::string mend_escapes(std::string_view scalar);

} // namespace kftrain::detail

#endif
