#ifndef KFTRAIN_SRC_LOCAL_POD_REPORT_HPP
#define KFTRAIN_SRC_LOCAL_POD_REPORT_HPP

#include <kftrain/model/core.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// What the kubelet knows of one container.
struct container_record {
    container_record() = default;

    container_state state; ///< none of the three set: not begun
    container_state last_state;
    std::int32_t runs = 0;     ///< begun so far, the one that is being started included
    std::int32_t restarts = 0; ///< until the run that `state` tells of
};

/// What the kubelet knows of one pod.
struct pod_record {
    pod_record() = default;

    std::string address;
    std::string host_address;
    std::optional<time_point> started;
    bool leaving = false;                          ///< being ended: no container is started again
    std::vector<container_record> init_containers; ///< as in the spec
    std::vector<container_record> containers;      ///< as in the spec
};

/** The status that a kubelet reports. Conditions keep the time of their last change from `before`. Pure.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `getPhase`; `pkg/kubelet/status/generate.go` */
pod_status report(pod const& p, pod_record const& known, time_point now);

/// The status of a pod that the kubelet refuses to run.
pod_status report_refusal(std::string reason, std::string message, time_point now);

/// Whether a container that ended is started again.
bool restarts(std::string_view restart_policy, container_state_terminated const&) noexcept;

/// `Completed`, or `Error` for a failure.
container_state_terminated terminated(int code, int signal, std::optional<time_point> started, time_point finished);

} // namespace kftrain::local

#endif
