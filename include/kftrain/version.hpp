#ifndef KFTRAIN_VERSION_HPP
#define KFTRAIN_VERSION_HPP

#include <string_view>

namespace kftrain {

/// The version of the headers, `major.minor.patch`.
constexpr std::string_view version() noexcept { return "0.1.0"; }

} // namespace kftrain

#endif
