#ifndef KFTRAIN_SRC_BASE_WHOLE_NUMBER_HPP
#define KFTRAIN_SRC_BASE_WHOLE_NUMBER_HPP

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace kftrain {

/// The decimal number that is the whole of this text; absent for any other text and for what does not fit.
template <std::integral Number> std::optional<Number> read_whole_number(std::string_view text) noexcept {
    Number value = 0;
    char const* const end = text.data() + text.size();
    auto const [stopped, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc() || stopped != end) return std::nullopt;
    return value;
}

} // namespace kftrain

#endif
