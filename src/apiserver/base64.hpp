#ifndef KFTRAIN_SRC_APISERVER_BASE64_HPP
#define KFTRAIN_SRC_APISERVER_BASE64_HPP

#include <optional>
#include <string>
#include <string_view>

namespace kftrain::apiserver {

/// RFC 4648, padded.
std::string base64_encode(std::string_view bytes);
/// Empty unless `text` is padded base64 without line breaks.
std::optional<std::string> base64_decode(std::string_view text);

} // namespace kftrain::apiserver

#endif
