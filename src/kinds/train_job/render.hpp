#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_RENDER_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_RENDER_HPP

#include "kinds/train_job/layout.hpp"

#include <kftrain/job/recipe.hpp>
#include <kftrain/model/any_object.hpp>

#include <vector>

/** The objects that the operator applies for a job.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/` */
namespace kftrain::trainer {

/// Of a layout without a fault.
jobset::job_set render_job_set(train_job const&, layout const&);
/// `runtime` is the TrainingRuntime or ClusterTrainingRuntime as it is stored.
core::config_map render_snapshot(train_job const&, any_object const& runtime);
/// Without the keys, which the recipe makes.
core::secret render_ssh_secret(train_job const&);
rules::recipe ssh_recipe();
core::config_map render_hostfile(train_job const&, layout const&, mpi_policy const&);
/// The pod of a member as the controllers of JobSets and Jobs create it, with its index; empty without the runtime.
core::pod render_pod(train_job const&, member const&);
/// Empty if the runtime has no gang.
any_object render_pod_group(train_job const&, layout const&, pod_group_policy const&);

} // namespace kftrain::trainer

#endif
