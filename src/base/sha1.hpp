#ifndef KFTRAIN_SRC_BASE_SHA1_HPP
#define KFTRAIN_SRC_BASE_SHA1_HPP

#include <string>
#include <string_view>

namespace kftrain {

/// SHA-1 in lower-case hexadecimal digits, for names only: it does not protect anything. @par Upstream FIPS 180-4
std::string sha1_hex(std::string_view text);

} // namespace kftrain

#endif
