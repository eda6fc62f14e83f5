#ifndef KFTRAIN_SRC_LOCAL_KUBELET_POD_REPORT_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_POD_REPORT_HPP

#include "objects/pod_resources.hpp"

#include <kftrain/objects/core.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// The state of one container in the kubelet.
struct container_record {
    container_record() = default;

    core::container_state state; ///< none of the three set: not begun
    core::container_state last_state;
    std::int32_t runs = 0;     ///< that came to an end; the number of the next or present one
    std::int32_t restarts = 0; ///< before the run that `state` describes
    int failures = 0;          ///< in a row, for restart_delay()
    bool unstarted = false;    ///< it runs, and its startup probe has not succeeded yet
    bool unready = false;      ///< it runs, and its readiness probe does not succeed
};

/// Ended well.
bool succeeded(container_record const&) noexcept;

/// Runs, and its startup probe has succeeded if it has one.
bool has_started(container_record const&) noexcept;

/// The state of one pod in the kubelet.
struct pod_record {
    pod_record() = default;

    std::string address;
    std::string host_address;
    std::optional<time_point> started;
    std::string trouble;                           ///< why no container can begin
    bool leaving = false;                          ///< being ended: no container is started again
    bool deadline_exceeded = false;                ///< ended by activeDeadlineSeconds
    std::string evicted;                           ///< why it was evicted
    std::vector<container_record> init_containers; ///< as in the spec
    std::vector<container_record> containers;      ///< as in the spec
};

/** The status that a kubelet reports. Conditions keep the time of their last change from `before`. Pure.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `getPhase`; `pkg/kubelet/status/generate.go` */
core::pod_status report(pod const& p, pod_record const& known, time_point now);

/// The status of a pod that the kubelet refuses to run.
core::pod_status report_refusal(std::string reason, std::string message, time_point now);

/** Returns how long a container waits for its restart after this number of ends in a row: 0 s, then 10 s, doubled up
    to 5 minutes.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `doBackOff` */
std::chrono::seconds restart_delay(int failures) noexcept;
/// Returns whether the container ran long enough that earlier ends no longer count.
bool outlived_back_off(core::container_state_terminated const&) noexcept;

/// As Go writes it: `40s`, `1m20s`, `5m0s`.
std::string in_minutes(std::chrono::seconds t);

/// Whether a container that ended is started again.
bool restarts(std::string_view restart_policy, core::container_state_terminated const&) noexcept;

/// `Completed`, or `Error` for a failure.
core::container_state_terminated terminated(int code, int signal, std::optional<time_point> started,
                                            time_point finished);

/** Takes over a pod whose containers an earlier kubelet started and that ended with it: running containers count as
    ended with exit code 137, and restarts continue to count. Init containers run again, as their results are gone.
    @param record Of the pod, with its containers not begun
    @return false if the pod must not be started again
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `convertToAPIContainerStatuses`;
    `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `computePodActions` */
bool adopt(pod const& observed, pod_record& record, time_point now);

/// Returns what an event about a pod refers to.
inline core::object_reference reference_to_pod(object_meta const& pod) {
    core::object_reference to;
    to.kind = "Pod";
    to.api_version = "v1";
    to.namespace_ = pod.namespace_;
    to.name = pod.name;
    to.uid = pod.uid;
    return to;
}

} // namespace kftrain::local

#endif
