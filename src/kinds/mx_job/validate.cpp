#include "base/joined.hpp"
#include "job/v1/replica_plan.hpp"
#include "kinds/mx_job/kind.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

/// Whether upstream knows such a fault.
bool is_upstream(issue const& i) {
    return i.level == issue::severity::error && !i.rule.starts_with("kftrain.") && i.rule != "job.namespace";
}

/// The first fault as upstream words it; those that only kftrain finds, in its own words.
std::string first_fault(std::string const& name, issues const& found) {
    auto const of_name = joined(dns_1035_label_faults(name), " ");
    if (!of_name.empty()) return "MXJob name is invalid: [" + of_name + "]";
    return std::ranges::any_of(found, is_upstream) ? "MXJobSpec is not valid" : join_errors(found, ", ");
}

} // namespace

/// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_validation.go`, and `mxjob_controller.go` for the reason,
/// which bears the name of another kind.
rules::plan mx_kind::tell_invalid(issues const& found) const {
    return told_invalid("MPIJobFailedValidation", resource.kind, first_fault(metadata.name, found));
}

} // namespace kftrain::kubeflow_v1
