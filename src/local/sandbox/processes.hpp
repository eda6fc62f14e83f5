#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP

#include <optional>
#include <set>
#include <sys/types.h>
#include <vector>

namespace kftrain::local::sandbox {

/// Lets orphaned descendants become children of this process, and thus be found.
void adopt_orphans();

/** Its children, in the order in which the kernel lists them; absent if the kernel does not (`CONFIG_PROC_CHILDREN`). So the cost of a
    search does not grow with the number of all processes. */
std::optional<std::vector<pid_t>> children_of(pid_t pid);
/// Whatever runs below a process, without those in `spared` and what is below them. What has ended does not count.
std::set<pid_t> descendants_of(pid_t root, std::set<pid_t> const& spared = {});

/** Kills these descendants of this process, also those that keep forking, and reaps those that are children. Children that had
    ended before are left to be reaped. Needs adopt_orphans(). */
void kill_below(std::set<pid_t> const& spared);

/// Kills and reaps every descendant of this process. Needs adopt_orphans().
void kill_descendants();

} // namespace kftrain::local::sandbox

#endif
