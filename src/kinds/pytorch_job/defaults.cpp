#include "kinds/pytorch_job/kind.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

/// One bound stands for both; without any the workers of the job are the bounds.
void set_bounds(elastic_policy& elastic, replica_spec_map const& specs) {
    if (elastic.min_replicas && elastic.max_replicas) return;
    auto const worker = specs.find(pytorch::worker);
    auto const bound = elastic.max_replicas    ? elastic.max_replicas
                       : elastic.min_replicas  ? elastic.min_replicas
                       : worker != specs.end() ? worker->second.replicas
                                               : std::nullopt;
    elastic.min_replicas = bound;
    elastic.max_replicas = bound;
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/pytorch_defaults.go`.
void pytorch_kind::set_defaults(pytorch_job& job) {
    auto& spec = job.spec;
    set_replica_defaults(spec.run_policy, spec.pytorch_replica_specs, pytorch_kind::constants);
    if (spec.elastic_policy) set_bounds(*spec.elastic_policy, spec.pytorch_replica_specs);
    bool const stated_in_policy = spec.elastic_policy && spec.elastic_policy->n_proc_per_node;
    if (!spec.nproc_per_node && !stated_in_policy) spec.nproc_per_node = "auto";
}

} // namespace kftrain::kubeflow_v1
