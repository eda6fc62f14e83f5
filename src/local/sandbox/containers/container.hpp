#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_HPP

#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <initializer_list>
#include <sys/types.h>
#include <vector>

namespace kftrain::local::sandbox {

/// One start of a container: see run_container_init().
struct started_container {
    started_container() = default;

    pid_t init = 0;    ///< a child; exits with 0 when the program and what it left behind have ended
    pid_t program = 0; ///< becomes a child when `init` is gone
};

/// The descriptors of a program; they stay the caller's.
struct container_streams {
    container_streams() = default;

    int output = -1;
    int input = -1; ///< -1: no input
    int error = -1; ///< -1: standard error goes to `output`
};

/** Starts the container that a request describes, its program in a session of its own. Returns when the program runs or
    could not be executed. In the latter case it writes a line to standard error and exits with 127 (not found) or 126
    (found, but not executable), as a shell does. Throws when a mount or the working directory is at fault or something
    is used up: then nothing is left of it. Needs adopt_orphans(), or to be the first process of a PID namespace.
    @param joined The program of a running container, whose files and mounts this one uses; 0: none
    @param groups Of control_group_link, which the program enters; at most two */
started_container start_container(boost::json::object const& request, container_streams streams, bool namespaces,
                                  int requests, pid_t joined, std::vector<unique_fd> const& groups);

/** Becomes the process between a pod's first process and the program of one start of a container. Orphaned descendants
    of the program become its children, in any session, and end with the program. Then it exits with 0. The pod's first
    process reaps the program itself and reads its exit status; until then the program's process id is not reused. If
    the caller dies, this process and all descendants end.

    `program` is called in a child and must not return; its descriptors are `kept`, closed here. Throws when there is no
    child. */
[[noreturn]] void run_container_init(pid_t caller, std::initializer_list<int> kept,
                                     std::function<void()> const& program);

} // namespace kftrain::local::sandbox

#endif
