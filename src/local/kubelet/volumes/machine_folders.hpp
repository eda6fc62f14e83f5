#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_MACHINE_FOLDERS_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_MACHINE_FOLDERS_HPP

#include "local/kubelet/volumes/real_path.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/objects/core.hpp>

#include <string>

// Directories of the machine that pods may mount.
namespace kftrain::local {

/// Whether the path, as written, is one of the host_paths or below one of them.
bool is_allowed_path(std::string const& path, pod_options const& options);

/** Creates what the type of the volume requires, and opens it. Links are followed if they stay in the allowed
    directories; nothing is created or opened elsewhere, even if a container replaces parts of the path meanwhile.
    An allowed directory is trusted: if pods can write to the directory around it, they can replace it by a link.
    @par Errors `errc::invalid_argument` if a link leads out of the allowed directories or to no existing place, or if
    the path is not what the type requires, with upstream's message: `hostPath type check failed: /x is not a directory`
    @par Upstream kubernetes v1.31 `pkg/volume/hostpath/host_path.go` */
result<real_path> prepare_host_path(core::host_path_volume_source const& volume, pod_options const& options);

/// The directory that the options give to a claim; empty if they give none.
std::string directory_of_claim(std::string const& ns, std::string const& claim, pod_options const& options);

} // namespace kftrain::local

#endif
