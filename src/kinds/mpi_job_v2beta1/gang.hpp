#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_GANG_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_GANG_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/model/any_object.hpp>

#include <map>

/** Gang scheduling by Volcano or by a scheduler with the coscheduling plugin. All functions expect options that name a
    gang scheduler.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/podgroup.go` */
namespace kftrain::kubeflow_v2beta1 {

/// Values of the PriorityClasses of the cluster, by name; a class that is not there counts 0.
using priority_map = std::map<std::string, std::int32_t, std::less<>>;

bool has_gang(mpi_operator_options const&) noexcept;
bool is_volcano(mpi_operator_options const&) noexcept;
/// The type of the gang's PodGroup.
object_type const& pod_group_type(mpi_operator_options const&) noexcept;

/// The PodGroup of a job that has none yet.
any_object render_pod_group(mpi_job const&, priority_map const&, mpi_operator_options const&);
/// The stored one as it is to be; empty if it is so already.
any_object changed_pod_group(any_object const& stored, mpi_job const&, priority_map const&,
                             mpi_operator_options const&);

/// Adds the gang's scheduler, labels and annotations to a pod template. The user's scheduler is overwritten.
void join_gang(core::pod_template_spec&, mpi_job const&, mpi_operator_options const&);

/// How many pods must fit before any starts.
std::int32_t min_member(mpi_job const&) noexcept;
/** The resources that these pods request, or those of the policy. Absent if there are none.
    Where more pods exist than must fit, those of the lower priority count `min_member() - 1`, and the workers do if
    both are equal; so the sum is too high where the launcher is of lower priority, as it is upstream. */
std::optional<resource_list> min_resources(mpi_job const&, priority_map const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
