#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_POD_INIT_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_POD_INIT_HPP

namespace kftrain::local::sandbox {

/** The first process of a pod: sets its namespaces up, starts containers, reaps, and reports how they ended.
    `channel` leads to the node's first process. Ends on request or when the channel closes; then no process of the pod
    is left. The caller has forked it into its namespaces, unless `namespaces` is false.
    @param requests To the supervisor, for a mount_point_link; -1 if there is none */
[[noreturn]] void run_pod_init(int channel, bool namespaces, int requests);

} // namespace kftrain::local::sandbox

#endif
