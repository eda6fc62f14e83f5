#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_POD_FILES_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_POD_FILES_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/objects/core.hpp>

#include "local/node/node.hpp"

#include <filesystem>

namespace kftrain::local {

/** Returns the /etc/resolv.conf of a pod: the name server of the node and the settings of `dnsConfig`; with the policy
    None only these. Options are in alphabetical order.
    @par Upstream kubernetes v1.31 `pkg/kubelet/network/dns/dns.go`, `appendDNSConfig` */
std::string resolv_conf_of(pod const& p);

/// Writes the files that a pod sees as /etc/hosts and /etc/resolv.conf below `directory`, and names them in `box`.
error_code write_pod_files(std::filesystem::path const& directory, pod const& p, pod_sandbox& box);
/// Whether the containers of a pod get a token for the API server.
bool may_call_api(pod const& p);
/// Writes the files of its service account below `directory`.
error_code write_account(std::filesystem::path const& directory, pod const& p, pod_api_access const& access);
/// Where the containers of the pod see these files. Containers with the files of an image do not see mounts of the pod.
bind_mount account_mount(std::filesystem::path const& directory, pod const& p);
/// The folder of a volume of the pod.
std::filesystem::path volume_folder(std::filesystem::path const& directory, pod const& p, std::string const& name);
/// The folder of what one start of a container writes to its root file system.
std::filesystem::path layer_folder(std::filesystem::path const& directory, pod const& p, std::string const& process);
/// The file of the termination message of one start of a container.
std::filesystem::path termination_file(std::filesystem::path const& directory, pod const& p,
                                       std::string const& process);
void remove_pod_files(std::filesystem::path const& directory, pod const& p) noexcept;

} // namespace kftrain::local

#endif
