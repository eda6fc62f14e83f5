#include "job/contract/field_error.hpp"
#include "kinds/xgboost_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/webhooks/xgboost/xgboostjob_webhook.go`, as the next. Looks at the job before
/// defaults: an absent count is refused although the default would be right.
void xgboost_kind::validate_replica(std::string_view type, replica_spec const& spec, issues& found) const {
    if (type == xgboost::master && spec.replicas.value_or(0) != 1)
        found.push_back(forbidden("xgboost.master.replicas", path_of(type) + ".replicas", "must be 1"));
}

void xgboost_kind::validate_map(issues& found) const {
    if (spec_of(xgboost::master) == nullptr)
        found.push_back(required("xgboost.master", path_of(xgboost::master), "must be present"));
}

} // namespace kftrain::kubeflow_v1
