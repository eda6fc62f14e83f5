#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_PROCESSES_HPP

#include <set>
#include <sys/types.h>

namespace kftrain::local::sandbox {

/// Lets orphaned descendants become children of this process, and thus be found.
void adopt_orphans();

/// Whatever runs below a process, without those in `spared` and what is below them. What has ended does not count.
std::set<pid_t> descendants_of(pid_t root, std::set<pid_t> const& spared = {});

/** Kills these descendants of this process, also those that keep forking, and reaps those that are children. Children that had
    ended before are left to be reaped. Needs adopt_orphans(). */
void kill_below(std::set<pid_t> const& spared);

/// Kills and reaps every descendant of this process. Needs adopt_orphans().
void kill_descendants();

} // namespace kftrain::local::sandbox

#endif
