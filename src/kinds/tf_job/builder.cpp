#include <kftrain/kinds/tf_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<tf_job> build(job_choices const& chosen, pod_choices const& pod, tf_job_choices const& own) {
    tf_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    if (own.waits_for_all_workers) job.spec.success_policy = tf::all_workers;
    job.spec.enable_dynamic_worker = own.dynamic_workers;
    auto const add = [&](std::string_view type, std::optional<replica_choices> const& replicas) {
        if (!replicas) return;
        job.spec.tf_replica_specs.emplace(type,
                                          kftrain::detail::make_replicas(tf_kind::constants.container, pod, *replicas));
    };
    add(tf::chief, own.chief);
    add(tf::worker, own.workers);
    add(tf::parameter_server, own.parameter_servers);
    add(tf::evaluator, own.evaluator);

    return kftrain::detail::checked<tf_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
