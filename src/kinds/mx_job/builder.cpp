#include <kftrain/kinds/mx_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/mx_job/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<mx_job> build(job_choices const& chosen, pod_choices const& pod, mx_job_choices const& own) {
    mx_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    job.spec.job_mode = "MXTrain";
    for (auto const& [type, replicas] : own.replicas) {
        job.spec.mx_replica_specs.emplace(type,
                                          kftrain::detail::make_replicas(mx_kind::constants.container, pod, replicas));
        if (type == mxnet::tuner_tracker || type == mxnet::tuner_server || type == mxnet::tuner)
            job.spec.job_mode = "MXTune";
    }
    return kftrain::detail::checked<mx_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
