#ifndef KFTRAIN_SRC_KUBE_USER_AGENT_HPP
#define KFTRAIN_SRC_KUBE_USER_AGENT_HPP

#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/** What a program that calls itself `program`, e.g. `trainer/1.2`, sends as `User-Agent`: its name, the platform and this
    library. What holds a parenthesis is taken for a whole User-Agent already. Empty if `program` is.
    @par Upstream client-go `rest/config.go`, `DefaultKubernetesUserAgent` */
std::string user_agent_of(std::string_view program);
/// As Go names it: `linux/amd64`.
std::string_view own_platform() noexcept;

} // namespace kftrain::kube::detail

#endif
