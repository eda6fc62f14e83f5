#include <kftrain/kinds/xgboost_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/xgboost_job/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<xgboost_job> build(job_choices const& chosen, pod_choices const& pod, xgboost_job_choices const& own) {
    xgboost_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    auto const add = [&](std::string_view type, replica_choices const& replicas) {
        job.spec.xgb_replica_specs.emplace(
            type, kftrain::detail::make_replicas(xgboost_kind::constants.container, pod, replicas));
    };
    add(xgboost::master, own.master);
    if (own.workers) add(xgboost::worker, *own.workers);
    return kftrain::detail::checked<xgboost_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
