#include "kube/calls/user_agent.hpp"

#include <kftrain/version.hpp>

namespace kftrain::kube::detail {

std::string_view own_platform() noexcept {
#if defined(__x86_64__)
    return "linux/amd64";
#elif defined(__aarch64__)
    return "linux/arm64";
#else
    return "linux";
#endif
}

std::string user_agent_of(std::string_view program) {
    std::string text(program);
    if (text.empty() || text.find('(') != std::string::npos) return text;
    return text.append(" (").append(own_platform()).append(") kftrain/").append(version());
}

} // namespace kftrain::kube::detail
