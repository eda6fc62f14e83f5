#ifndef KFTRAIN_SRC_KUBE_CALLS_USER_AGENT_HPP
#define KFTRAIN_SRC_KUBE_CALLS_USER_AGENT_HPP

#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/** The `User-Agent` of a program with the name `program`, for example `trainer/1.2`: its name, the platform and this
    library. A text with a parenthesis is already a whole User-Agent. Empty if `program` is.
    @par Upstream client-go `rest/config.go`, `DefaultKubernetesUserAgent` */
std::string user_agent_of(std::string_view program);
/// As Go names it: `linux/amd64`.
std::string_view own_platform() noexcept;

} // namespace kftrain::kube::detail

#endif
