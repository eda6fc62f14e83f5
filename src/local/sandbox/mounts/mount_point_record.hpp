#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINT_RECORD_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINT_RECORD_HPP

#include "local/sandbox/system.hpp"

#include <string>
#include <sys/stat.h>

namespace kftrain::local::sandbox {

/// What a mount point made for pods bears in its mode: the sticky bit, which means nothing in such a place.
inline constexpr mode_t mount_point_mark = S_ISVTX;

/// Whether a node made it: a link is none, nor is what belongs to somebody else or was made in another way.
bool is_made_mount_point(struct stat const& info);
/// Whether the path still leads to what is open.
bool leads_to(std::string const& path, int fd);
/// Opened and locked for us and others; empty when it is gone, or somebody is about to remove it.
unique_fd lock_mount_point(std::string const& path);
/// Removes what is empty, unless somebody else has a lock on it, too. Gives up the lock in any case. Returns false for
/// a busy control group, or one on a read-only file system: another process can remove it later.
bool remove_mount_point(std::string const& path, unique_fd lock) noexcept;

/** Writes down in the node's directory that the path has to be removed after it. Throws if it cannot. */
void record_mount_point(std::string const& node_directory, std::string const& path);
/** Removes what is written down and not needed by another node: to clear up after a killed helper.
    To be called before the directory of the node is removed. Returns false if the record is still needed. */
bool remove_recorded_mount_points(std::string const& node_directory) noexcept;

} // namespace kftrain::local::sandbox

#endif
