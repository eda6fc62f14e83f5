#ifndef KFTRAIN_SRC_JOB_V1_GANG_HPP
#define KFTRAIN_SRC_JOB_V1_GANG_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/job/v1/training_operator_options.hpp>

#include <optional>

namespace kftrain::kubeflow_v1 {

/// The scheduler that starts the pods of a job together or not at all.
struct gang_scheduler {
    gang_scheduler() = default;

    enum class family { none, volcano, scheduler_plugins };

    family kind = family::none;
    std::string name; ///< for `schedulerName` of the pods

    explicit operator bool() const noexcept { return kind != family::none; }
};

/** Reads `training_operator_options::gang_scheduler_name`.
    @par Upstream training-operator v1.9.0 `cmd/training-operator.v1/main.go`, `setupControllers` */
gang_scheduler gang_of(training_operator_options const&);

/// The type of the gang's PodGroup.
object_type const& pod_group_type(gang_scheduler const&) noexcept;

/** The PodGroup of a job that has none yet.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/{job,scheduling}.go` */
any_object render_pod_group(replica_job const&, gang_scheduler const&);

/// Adds the annotations and the scheduler of the PodGroup to a pod.
/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/control/podgroup_control.go`, `DecoratePodTemplateSpec`
void join_gang(pod&, replica_job const&, member const&, gang_scheduler const&);

/// Whether a template names another scheduler than the gang's. The operator keeps that scheduler and emits an event.
bool names_other_scheduler(replica_job const&, gang_scheduler const&);

/// The change to the PodGroup of a job that is to run.
struct gang_step {
    gang_step() = default;

    /// Absent if somebody else's PodGroup bears the name.
    std::optional<rules::action> write;
    bool wait = false; ///< its pods must not be created yet
};

/** Writes the PodGroup on every pass, as upstream does; a write without a change causes no event. Unlike upstream, a
    PodGroup that the job does not control is left alone, and the job waits until it is gone.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/scheduling.go`, `SyncPodGroup` */
gang_step sync_pod_group(replica_job const&, observed const&, gang_scheduler const&);

/// Deletes the PodGroup if the job has one and raises the events that upstream raises in any case.
void dissolve_gang(replica_job const&, observed const&, gang_scheduler const&, rules::plan_writer&);

/** The resources that `min_member` pods of the job request, counted type by type.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/util.go`, `CalcPGMinResources`. There the types are
    in random order, since the priorities by which it means to sort them are never known. */
resource_list min_resources(replica_job const&, std::int32_t min_member);

} // namespace kftrain::kubeflow_v1

#endif
