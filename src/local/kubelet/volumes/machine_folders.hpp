#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_MACHINE_FOLDERS_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_MACHINE_FOLDERS_HPP

#include "local/sandbox/mounts/open_without_links.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/objects/core.hpp>

#include <filesystem>
#include <string>

// Directories of the machine that pods may mount.
namespace kftrain::local {

using sandbox::creation;

/// An open file or directory of the machine, and its path, which contains no links.
struct real_path {
    real_path() = default;

    std::filesystem::path path;
    sandbox::unique_fd descriptor; ///< with `O_PATH`
};

/// Opens a path that the user or kftrain chose; it may contain links.
real_path open_real(std::filesystem::path const& path, std::error_code& failed);

/** Opens a path in a directory into which containers write, and creates what is missing. Links are followed if they
    lead to an existing place in the directory. Containers may replace any part of the path meanwhile: what is opened
    and created stays in the directory.
    @param path absolute, or relative to the directory
    @par Errors `EXDEV` if the path leads out of the directory, `ELOOP` for a link to a place that does not exist */
real_path open_within(real_path const& directory, std::filesystem::path const& path, creation missing,
                      std::error_code& failed);

/// Whether open_within() refused the path because it leads out of the directory.
bool leads_out(std::error_code const& failed);
/// Returns what open_within() reports as a text.
std::string text_of(std::error_code const& failed);

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
