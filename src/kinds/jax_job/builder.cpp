#include <kftrain/kinds/jax_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/jax_job/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<jax_job> build(job_choices const& chosen, pod_choices const& pod, jax_job_choices const& own) {
    jax_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    if (own.workers)
        job.spec.jax_replica_specs.emplace(
            jax::worker, kftrain::detail::make_replicas(jax_kind::constants.container, pod, *own.workers));
    return kftrain::detail::checked<jax_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
