#ifndef KFTRAIN_SRC_BASE_IN_QUOTES_HPP
#define KFTRAIN_SRC_BASE_IN_QUOTES_HPP

#include <string>
#include <string_view>

namespace kftrain {

/// `"s"`, as values stand in messages.
inline std::string in_quotes(std::string_view s) { return std::string("\"").append(s).append("\""); }

} // namespace kftrain

#endif
