#ifndef KFTRAIN_SRC_BASE_IS_ONE_OF_HPP
#define KFTRAIN_SRC_BASE_IS_ONE_OF_HPP

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace kftrain {

/// Whether the texts contain `text`. They may be a braced list.
template <class Texts = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view text, Texts const& texts) {
    return std::ranges::find(texts, text) != std::ranges::end(texts);
}

} // namespace kftrain

#endif
