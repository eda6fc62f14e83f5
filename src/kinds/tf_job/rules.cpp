#include "job/family/replica_rules.hpp"
#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

rules::job_rules const& kftrain_job_rules(type_tag<tf_job>) noexcept {
    static rules::job_rules_of<replica_rules<tf_kind>> const told_nothing;
    return told_nothing;
}

} // namespace kftrain::kubeflow_v1
