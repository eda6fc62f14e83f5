#include "base/joined.hpp"
#include "job/contract/field_error.hpp"
#include "kinds/mx_job/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule never_ends{"lint.mxnet.never-ends", warning,
                               "The job ends with its Scheduler, or, if it has one Worker and neither Scheduler nor "
                               "Server, with the first of its types. Any other job runs forever."};
constexpr lint_rule schedulers{
    "lint.mxnet.schedulers", warning,
    "All replicas receive the address of the first Scheduler. A further Scheduler waits for nodes that never come."};
constexpr lint_rule exit_code{"lint.mxnet.exit-code", warning,
                              "With ExitCode, a replica that ends with a code below 128 is not created again and does "
                              "not fail the job. The job continues without it."};
constexpr lint_rule replica_type{
    "lint.mxnet.replica-type", warning,
    "Replicas of other types get pods and are listed in MX_CONFIG, but neither MXNet nor the tuner uses them."};
constexpr lint_rule job_mode{"lint.mxnet.job-mode", info,
                             "The operator ignores the mode (MXTrain, MXTune). The replica types decide."};

constexpr std::array all{never_ends, schedulers, exit_code, replica_type, job_mode};

} // namespace

std::span<lint_rule const> mx_kind::lint_rules() noexcept { return all; }

void mx_kind::lint(issues& found) const {
    auto const count = count_of(mxnet::scheduler);
    if (!specs.empty() && count == 0 && !is_single_worker())
        report(found, never_ends, "spec.mxReplicaSpecs", "the job has no Scheduler, expected one");
    if (count > 1)
        report(found, schedulers, path_of(mxnet::scheduler) + ".replicas", std::to_string(count) + ", expected 1");
    for (auto type : types()) {
        if (std::ranges::find(mxnet::types, type) == mxnet::types.end())
            report(found, replica_type, path_of(type),
                   in_quotes(type) + ", expected one of " + joined(mxnet::types, ", "));
        if (spec_of(type)->restart_policy == "ExitCode")
            report(found, exit_code, path_of(type) + ".restartPolicy",
                   "\"ExitCode\" ignores exit codes below 128, expected Never if they must fail the job");
    }
    auto const& mode = job_.spec.job_mode;
    if (mode != "MXTrain" && mode != "MXTune")
        report(found, job_mode, "spec.jobMode", in_quotes(mode) + ", expected MXTrain or MXTune");
}

} // namespace kftrain::kubeflow_v1
