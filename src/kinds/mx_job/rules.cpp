#include "job/family/replica_rules.hpp"
#include "kinds/mx_job/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const mx_job_schema; // schema.json
}

namespace kubeflow_v1 {

std::string_view mx_kind::schema() noexcept { return embedded::mx_job_schema; }

/// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_defaults.go`.
void mx_kind::set_defaults(mx_job& job) {
    set_replica_defaults(job.spec.run_policy, job.spec.mx_replica_specs, mx_kind::constants, mxnet::spelled_types);
}

rules::job_rules const& kftrain_job_rules(type_tag<mx_job>) noexcept {
    static rules::job_rules_of<replica_rules<mx_kind>> const told_nothing;
    return told_nothing;
}

} // namespace kubeflow_v1
} // namespace kftrain
