#ifndef KFTRAIN_SRC_FACADE_PLAIN_TEXT_HPP
#define KFTRAIN_SRC_FACADE_PLAIN_TEXT_HPP

#include <string>
#include <string_view>

namespace kftrain {

/// The text on one line, with U+FFFD in the place of invalid UTF-8, of control characters, of those that change the
/// direction of text, and of those that XML excludes.
std::string plain_text(std::string_view text);

/// The same as text of an element of XML or HTML.
std::string xml_text(std::string_view text);

/// At most this many characters; a longer text ends in an ellipsis.
std::string shortened_to(std::string_view text, std::size_t characters);

/// The number of characters of a text in UTF-8.
std::size_t characters_of(std::string_view text) noexcept;

} // namespace kftrain

#endif
