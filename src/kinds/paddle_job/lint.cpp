#include "job/contract/field_error.hpp"
#include "kinds/paddle_job/kind.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule elastic_policy_unused{"lint.paddle.elastic-policy", warning,
                                          "The operator stores the policy and ignores it: no pod receives the bounds, "
                                          "and the operator creates no autoscaler."};

constexpr std::array all{elastic_policy_unused};

} // namespace

std::span<lint_rule const> paddle_kind::lint_rules() noexcept { return all; }

void paddle_kind::lint(issues& found) const {
    if (job_.spec.elastic_policy)
        report(found, elastic_policy_unused, "spec.elasticPolicy", "has no effect, expected only a number of replicas");
}

} // namespace kftrain::kubeflow_v1
