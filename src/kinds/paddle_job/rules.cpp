#include "job/family/replica_rules.hpp"
#include "kinds/paddle_job/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const paddle_job_schema; // schema.json
}

namespace kubeflow_v1 {

std::string_view paddle_kind::schema() noexcept { return embedded::paddle_job_schema; }

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/paddlepaddle_defautls.go`.
void paddle_kind::set_defaults(paddle_job& job) {
    auto& spec = job.spec;
    set_replica_defaults(spec.run_policy, spec.paddle_replica_specs, paddle_kind::constants);
    if (auto& elastic = spec.elastic_policy)
        set_elastic_bounds(elastic->min_replicas, elastic->max_replicas, spec.paddle_replica_specs);
}

rules::job_rules const& kftrain_job_rules(type_tag<paddle_job>) noexcept {
    static rules::job_rules_of<replica_rules<paddle_kind>> const told_nothing;
    return told_nothing;
}

} // namespace kubeflow_v1
} // namespace kftrain
