#include "kinds/pytorch_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/pytorch_defaults.go`.
void pytorch_kind::set_defaults(pytorch_job& job) {
    auto& spec = job.spec;
    set_replica_defaults(spec.run_policy, spec.pytorch_replica_specs, pytorch_kind::constants);
    if (auto& elastic = spec.elastic_policy)
        set_elastic_bounds(elastic->min_replicas, elastic->max_replicas, spec.pytorch_replica_specs);
    bool const stated_in_policy = spec.elastic_policy && spec.elastic_policy->n_proc_per_node;
    if (!spec.nproc_per_node && !stated_in_policy) spec.nproc_per_node = "auto";
}

} // namespace kftrain::kubeflow_v1
