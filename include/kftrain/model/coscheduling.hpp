#ifndef KFTRAIN_MODEL_COSCHEDULING_HPP
#define KFTRAIN_MODEL_COSCHEDULING_HPP

/** @file
    Gangs for the coscheduling plugin of the Kubernetes scheduler, `scheduling.x-k8s.io/v1alpha1`.
    @par Upstream scheduler-plugins, CustomResourceDefinition `podgroups.scheduling.x-k8s.io` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain {

struct coscheduling_pod_group_spec {
    coscheduling_pod_group_spec() = default;

    std::int32_t min_member = 0; ///< how many pods must fit before any of them starts
    resource_list min_resources; ///< what must be free before any pod starts
    std::optional<std::int32_t> schedule_timeout_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(coscheduling_pod_group_spec, (min_member, min_resources, schedule_timeout_seconds))

struct coscheduling_pod_group_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(coscheduling_pod_group_status);

    std::string phase;       ///< Pending, PreScheduling, Scheduling, Scheduled, Running, Unknown, Finished or Failed
    std::string occupied_by; ///< uid of the workload whose pods it holds; empty at first
    std::int32_t running = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    std::optional<time_point> schedule_start_time;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(coscheduling_pod_group_status, (phase, occupied_by, running, succeeded, failed, schedule_start_time))

struct coscheduling_pod_group {
    coscheduling_pod_group() = default;

    static constexpr resource_info resource{"scheduling.x-k8s.io", "v1alpha1", "PodGroup", "podgroups"};

    object_meta metadata;
    coscheduling_pod_group_spec spec;
    coscheduling_pod_group_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(coscheduling_pod_group, (metadata, spec, status))

} // namespace kftrain

#endif
