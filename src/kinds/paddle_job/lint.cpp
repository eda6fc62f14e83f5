#include "job/contract/field_error.hpp"
#include "kinds/paddle_job/kind.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule elastic_policy_unused{
    "lint.paddle.elastic-policy", warning,
    "The operator stores the policy and never looks at it: no pod is told of the bounds, and no autoscaler is made."};

constexpr std::array all{elastic_policy_unused};

} // namespace

std::span<lint_rule const> paddle_kind::lint_rules() noexcept { return all; }

void paddle_kind::lint(issues& found) const {
    if (job_.spec.elastic_policy)
        report(found, elastic_policy_unused, "spec.elasticPolicy",
               "has no effect, expected the wanted number of replicas alone");
}

} // namespace kftrain::kubeflow_v1
