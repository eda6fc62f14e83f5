#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_INIT_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_INIT_HPP

#include <functional>
#include <initializer_list>
#include <sys/types.h>

namespace kftrain::local::sandbox {

/** Goes on as the process between a pod's first process and the program of one start of a container: whatever the program
    leaves behind becomes its child, in whatever session, and ends with the program. Then it exits with 0 and leaves the
    program itself to be reaped by the pod's first process, which thus learns how it ended; until then the program's process
    id is taken. A caller that dies ends it with all that is below.

    `program` is called in a child and must not return; its descriptors are `kept`, closed here. Throws when there is no
    child. */
[[noreturn]] void run_container_init(pid_t caller, std::initializer_list<int> kept,
                                     std::function<void()> const& program);

} // namespace kftrain::local::sandbox

#endif
