#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_REAL_PATH_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_REAL_PATH_HPP

#include "local/sandbox/mounts/open_without_links.hpp"

#include <kftrain/base/error.hpp>

#include <filesystem>
#include <string>

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

} // namespace kftrain::local

#endif
