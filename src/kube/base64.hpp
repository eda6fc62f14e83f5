#ifndef KFTRAIN_SRC_KUBE_BASE64_HPP
#define KFTRAIN_SRC_KUBE_BASE64_HPP

#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube::detail {

std::string base64_encode(std::string_view bytes);
/// White space is passed over. Nothing for what is no base64.
std::optional<std::string> base64_decode(std::string_view text);

} // namespace kftrain::kube::detail

#endif
