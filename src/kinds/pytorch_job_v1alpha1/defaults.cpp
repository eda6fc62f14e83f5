#include "kinds/pytorch_job_v1alpha1/names.hpp"

namespace kftrain::kubeflow_v1alpha1 {

/// Upstream: pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/defaults.go`. An existing policy stays as it is, even
/// an empty one.
void set_defaults(pytorch_job& job) {
    auto& spec = job.spec;
    if (spec.pytorch_image.empty()) spec.pytorch_image = pytorch::default_image;
    if (!spec.termination_policy) {
        auto& master = spec.termination_policy.emplace().master.emplace();
        master.replica_name = pytorch::master_type;
    }
    for (auto& set : spec.replica_specs) {
        if (!set.replicas) set.replicas = 1;
        if (!set.master_port) set.master_port = pytorch::default_port;
        if (set.replica_type.empty())
            set.replica_type = set.pytorch_replica_type.empty() ? pytorch::master_type : set.pytorch_replica_type;
    }
}

} // namespace kftrain::kubeflow_v1alpha1
