#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINT_RECORD_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINT_RECORD_HPP

#include "local/sandbox/system.hpp"

#include <string>
#include <sys/stat.h>

namespace kftrain::local::sandbox {

/// The mark of mount points for pods in their mode: the sticky bit, which has no other effect there.
inline constexpr mode_t mount_point_mark = S_ISVTX;

/// Returns whether a node made it: not for links, and not for directories of other users or programs.
bool is_made_mount_point(struct stat const& info);
/// Whether the path still leads to what is open.
bool leads_to(std::string const& path, int fd);
/// Opens a mount point with a shared lock; empty if it does not exist, or if a node is about to remove it.
unique_fd lock_mount_point(std::string const& path);
/// How often a busy control group is removed again, one millisecond apart: it is busy for a moment after its last
/// process was reaped.
inline constexpr int rmdir_tries = 500;
/// Removes an empty mount point, unless another process has a lock on it. Releases the lock in any case. Returns false
/// for a control group that is busy after these further tries, or on a read-only file system: another process can
/// remove it later.
bool remove_mount_point(std::string const& path, unique_fd lock, int tries = rmdir_tries) noexcept;

/** Writes down in the node's directory that the path has to be removed after it. Throws if it cannot. */
void record_mount_point(std::string const& node_directory, std::string const& path);
/// Removes what is written down and not needed by another node. Returns false if the record, and so the directory of
/// the node, is still needed. Waits for each busy control group as remove_mount_point() does.
[[nodiscard]] bool remove_recorded_mount_points(std::string const& node_directory, int tries = rmdir_tries) noexcept;

} // namespace kftrain::local::sandbox

#endif
