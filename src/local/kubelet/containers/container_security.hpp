#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_SECURITY_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_SECURITY_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core.hpp>

#include "local/kubelet/images/image_source.hpp"
#include "local/node/node.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// Returns the settings of the security contexts of a container and its pod. @param image what it sets; may be null
process_rights rights_of(pod const& p, core::container const& c, image_config const* image);
/// Returns `runAsUser` of the container, or else that of its pod.
std::optional<std::int64_t> user_of(pod const& p, core::container const& c);
/// Whether nothing may be written to the root file system.
bool has_read_only_root(core::container const& c);

/** Returns why the container may not start, because `runAsNonRoot` forbids its user; empty if it may.
    @param image_user the user of the image; empty: root
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/security_context.go`, `verifyRunAsNonRoot` */
std::string fault_of_root(pod const& p, core::container const& c, std::string_view image_user);

/// The machine, as far as it decides what can be kept of a security context.
struct sandbox_abilities {
    sandbox_abilities() = default;

    bool is_root = true; ///< whether root started the program
    bool has_namespaces = true;
};

/// Returns the parts of the security context of the pod that the sandbox cannot keep. Messages are reasons only.
issues unkept_parts(core::pod_security_context const& context, sandbox_abilities const& sandbox);
/// Returns the same for a container. @param source of its image; null if there is none
issues unkept_parts(pod const& p, core::container const& c, image_source const* source,
                    sandbox_abilities const& sandbox);

/// The number of a capability with or without the prefix `CAP_`; absent if there is none of this name.
std::optional<std::int64_t> number_of_capability(std::string_view name);

} // namespace kftrain::local

#endif
