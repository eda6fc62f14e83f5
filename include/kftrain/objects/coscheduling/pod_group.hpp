#ifndef KFTRAIN_OBJECTS_COSCHEDULING_POD_GROUP_HPP
#define KFTRAIN_OBJECTS_COSCHEDULING_POD_GROUP_HPP

/** @file Gangs for the coscheduling plugin of the Kubernetes scheduler, `scheduling.x-k8s.io/v1alpha1`.
    @par Upstream scheduler-plugins v0.28.9 `apis/scheduling/v1alpha1/types.go`; effect of the fields:
    `pkg/coscheduling/`, `pkg/controllers/podgroup_controller.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::coscheduling {

/// The requirements of a gang before any of its pods starts.
struct pod_group_spec {
    pod_group_spec() = default;

    std::int32_t min_member = 0; ///< number of pods that must fit before any of them starts
    /// Free resources that the nodes must have before any pod starts; empty: not checked.
    resource_list min_resources;
    /// How long placed pods wait for the others, in seconds; absent: the configuration of the plugin, by default 60.
    std::optional<std::int32_t> schedule_timeout_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_group_spec, (min_member, min_resources, schedule_timeout_seconds))

/// The state that the gang controller last observed; counts are of pods.
struct pod_group_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_group_status);

    /// Pending: fewer pods exist than must start; Scheduling; Running and Finished: that number of pods runs or has
    /// succeeded; Failed. Unknown is declared and never written.
    std::string phase;
    std::string occupied_by;    ///< `namespace/name` of the owners of its first pod, comma-separated; initially empty
    std::int32_t running = 0;   ///< pods in the phase Running
    std::int32_t succeeded = 0; ///< pods in the phase Succeeded
    std::int32_t failed = 0;    ///< pods in the phase Failed
    std::optional<time_point> schedule_start_time; ///< declared; the controller reads it but never writes it
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_group_status, (phase, occupied_by, running, succeeded, failed, schedule_start_time))

/// A gang: pods that start together or not at all. Pods refer to it by their label `scheduling.x-k8s.io/pod-group`.
struct pod_group {
    pod_group() = default;

    static constexpr resource_info resource{"scheduling.x-k8s.io", "v1alpha1", "PodGroup", "podgroups"};

    object_meta metadata;    ///< the name is the value of the label of its pods
    pod_group_spec spec;     ///< the requirements
    pod_group_status status; ///< observed state, written by the gang controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod_group, (metadata, spec, status))

} // namespace kftrain::coscheduling

#endif
