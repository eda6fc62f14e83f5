#include <kftrain/kinds/paddle_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/paddle_job/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<paddle_job> build(job_choices const& chosen, pod_choices const& pod, paddle_job_choices const& own) {
    paddle_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    auto const add = [&](std::string_view type, std::optional<replica_choices> const& replicas) {
        if (!replicas) return;
        job.spec.paddle_replica_specs.emplace(
            type, kftrain::detail::make_replicas(paddle_kind::constants.container, pod, *replicas));
    };
    add(paddle::master, own.masters);
    add(paddle::worker, own.workers);
    return kftrain::detail::checked<paddle_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
