#ifndef KFTRAIN_LOCAL_SANDBOX_PROCESSES_HPP
#define KFTRAIN_LOCAL_SANDBOX_PROCESSES_HPP

#include <sys/types.h>

namespace kftrain::local::sandbox {

/// Lets orphaned descendants become children of this process, and thus be found.
void adopt_orphans();

/// Kills every process of a session, except this one.
void kill_session(pid_t session);

/// Kills and reaps every descendant of this process, also those that keep forking. Needs adopt_orphans().
void kill_descendants();

} // namespace kftrain::local::sandbox

#endif
