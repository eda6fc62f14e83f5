#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_NODE_INIT_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_NODE_INIT_HPP

#include <string>

namespace kftrain::local::sandbox {

struct node_settings {
    node_settings() = default;

    int control = -1;  ///< to the library
    int start = -1;    ///< to the supervisor: a word when to begin, then a report how the set-up went; kept open
    int requests = -1; ///< of pods to the supervisor: see mount_point_link and control_group_link
    bool namespaces = true;
    std::string fallback_reason; ///< why there are no namespaces although they were wanted
};

/** The first process of a node: holds its network, starts pods, passes messages on. Ends when the control socket closes
    or the supervisor dies. Then everything else ends: in namespaces through the kernel, otherwise through this process.
    */
[[noreturn]] void run_node_init(node_settings const&);

/** The first process of a pod: sets its namespaces up, starts containers, reaps, and reports how they ended.
    `channel` leads to the node's first process. Ends on request or when the channel closes; then no process of the pod
    is left. The caller has forked it into its namespaces, unless `namespaces` is false.
    @param requests To the supervisor, for a mount_point_link; -1 if there is none */
[[noreturn]] void run_pod_init(int channel, bool namespaces, int requests);

} // namespace kftrain::local::sandbox

#endif
