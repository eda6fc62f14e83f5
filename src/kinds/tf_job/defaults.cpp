#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/tensorflow_defaults.go`.
void tf_kind::set_defaults(tf_job& job) {
    if (!job.spec.success_policy) job.spec.success_policy.emplace();
    set_replica_defaults(job.spec.run_policy, job.spec.tf_replica_specs, tf_kind::constants);
}

} // namespace kftrain::kubeflow_v1
