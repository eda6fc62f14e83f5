#include "job/family/replica_rules.hpp"
#include "kinds/xgboost_job/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const xgboost_job_schema; // schema.json
}

namespace kubeflow_v1 {

std::string_view xgboost_kind::schema() noexcept { return embedded::xgboost_job_schema; }

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/xgboost_defaults.go`.
void xgboost_kind::set_defaults(xgboost_job& job) {
    set_replica_defaults(job.spec.run_policy, job.spec.xgb_replica_specs, xgboost_kind::constants);
}

rules::job_rules const& kftrain_job_rules(type_tag<xgboost_job>) noexcept {
    static rules::job_rules_of<replica_rules<xgboost_kind>> const told_nothing;
    return told_nothing;
}

} // namespace kubeflow_v1
} // namespace kftrain
