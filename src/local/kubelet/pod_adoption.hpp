#ifndef KFTRAIN_SRC_LOCAL_KUBELET_POD_ADOPTION_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_POD_ADOPTION_HPP

#include "local/kubelet/pod_report.hpp"

namespace kftrain::local {

/** Takes over a pod whose containers an earlier kubelet started and that ended with it: running containers count as
    ended with exit code 137, and restarts continue to count. Init containers run again, as their results are gone.
    @param record Of the pod, with its containers not begun
    @return false if the pod must not be started again
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `convertToAPIContainerStatuses`;
    `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `computePodActions` */
bool adopt(pod const& observed, pod_record& record, time_point now);

} // namespace kftrain::local

#endif
