#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_RUN_DIRECTORY_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_RUN_DIRECTORY_HPP

#include "local/sandbox/mounts/mount_point_record.hpp"
#include "local/sandbox/system.hpp"

#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/** Locks the directory of a node for as long as the descriptor, or a copy of it in a child process, is open. The kernel
    releases the lock when its last holder ends, however that ends; so neither process ids nor times are compared. Empty
    if it cannot be locked. */
unique_fd lock_run_directory(std::string const& path) noexcept;
/// Marks a locked directory as one of a node, so that it is removed once no process holds the lock.
bool mark_run_directory(std::string const& path) noexcept;

/// Removes the mount points recorded in the directory of a node, as remove_recorded_mount_points() does, and then the
/// directory. Returns a sentence if something is left.
[[nodiscard]] std::string remove_run_directory(std::string const& path, int tries = rmdir_tries);
/// Removes a marked directory of this user, and the mount points recorded in it, if no process has locked it. Returns
/// whether it did.
bool remove_dead_run_directory(std::string const& path) noexcept;
/// Does so for each directory in `parent` that is named as nodes name theirs. Returns those that were removed.
std::vector<std::string> remove_dead_run_directories(std::string const& parent = "/tmp");

} // namespace kftrain::local::sandbox

#endif
