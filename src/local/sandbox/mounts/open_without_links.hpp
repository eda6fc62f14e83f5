#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_OPEN_WITHOUT_LINKS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_OPEN_WITHOUT_LINKS_HPP

#include "local/sandbox/system.hpp"

#include <filesystem>
#include <string>

namespace kftrain::local::sandbox {

/// Names that open_without_links() creates if they do not exist.
enum class creation {
    none,
    file,       ///< the last part of the path, as an empty file
    directories ///< each part of the path
};

/** Opens a path below an open directory with `O_PATH`. It opens one part of the path after the other and follows no
    link, so the result is below the directory even if a container replaces parts of the path meanwhile.
    @param path relative, without `..`; empty or `.` for the directory itself
    @par Errors `ELOOP` if a part of the path is a link, `EINVAL` for `..`, and those of `openat` and `mkdirat` */
unique_fd open_without_links(int directory, std::filesystem::path const& path, creation missing,
                             std::error_code& failed);

/** Removes a directory and everything below it, without following links and without entering other mounts.
    Directories that their owner may not write are made writable first. Returns a sentence when something is left. */
std::string remove_tree(std::string const& path);

} // namespace kftrain::local::sandbox

#endif
