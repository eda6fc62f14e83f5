#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP

#include <optional>
#include <set>
#include <sys/types.h>
#include <vector>

namespace kftrain::local::sandbox {

/// Lets orphaned descendants become children of this process, and thus be found.
void adopt_orphans();

/** Returns the children of a process in the order of the kernel; nothing if the kernel does not list them
    (`CONFIG_PROC_CHILDREN`). The cost of a search does not grow with the number of all processes. */
std::optional<std::vector<pid_t>> children_of(pid_t pid);
/// Returns the running descendants of a process, without `spared` and their descendants.
std::set<pid_t> descendants_of(pid_t root, std::set<pid_t> const& spared = {});

/** Kills these descendants of this process, even if they keep forking, and reaps its children among them. Children that
    ended before are not reaped. Needs adopt_orphans(). */
void kill_below(std::set<pid_t> const& spared);

/// Kills and reaps every descendant of this process. Needs adopt_orphans().
void kill_descendants();

} // namespace kftrain::local::sandbox

#endif
