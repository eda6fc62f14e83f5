#ifndef KFTRAIN_SRC_MODEL_SCALARS_BASE64_HPP
#define KFTRAIN_SRC_MODEL_SCALARS_BASE64_HPP

#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/// RFC 4648, padded.
std::string base64_encode(std::string_view bytes);
/// White space is passed over. Nothing for what is no base64.
std::optional<std::string> base64_decode(std::string_view text);

} // namespace kftrain

#endif
