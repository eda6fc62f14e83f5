#include "base/joined.hpp"
#include "kinds/mx_job/kind.hpp"
#include "model/rules/name_syntax.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

/// The first fault as upstream words it.
std::string first_fault(std::string const& name) {
    auto const of_name = joined(dns_1035_label_faults(name), " ");
    return of_name.empty() ? "MXJobSpec is not valid" : "MXJob name is invalid: [" + of_name + "]";
}

} // namespace

/// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_validation.go`, and `mxjob_controller.go` for the reason,
/// which bears the name of another kind.
rules::plan mx_kind::tell_invalid(issues const&) const {
    rules::plan_writer todo;
    todo.tell("Warning", "MPIJobFailedValidation", "MXJob failed validation because " + first_fault(metadata.name));
    rules::plan p;
    p.steps = todo.take();
    return p;
}

} // namespace kftrain::kubeflow_v1
