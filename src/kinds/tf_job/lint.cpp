#include "job/contract/field_error.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "kinds/tf_job/kind.hpp"

#include <kftrain/job/lint.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule no_end{
    "lint.tf.no-end", error,
    "A chief or the workers decide when the job is done. Without any of them the job never succeeds."};
constexpr lint_rule success_policy{"lint.tf.success-policy", warning,
                                   "The operator does not check the value. With every value but AllWorkers the job "
                                   "succeeds with worker 0. If the job has a chief, only the chief decides."};
constexpr lint_rule replica_type{
    "lint.tf.replica-type", warning,
    "Replicas of other types get pods and are listed in TF_CONFIG, but their success or failure has no effect."};
constexpr lint_rule task_type{"lint.tf.task-type", warning,
                              "Distribution strategies of TensorFlow 2 support chief, worker, ps and evaluator. They "
                              "reject a cluster with several chiefs or several evaluators."};
constexpr lint_rule dynamic_task{"lint.tf.dynamic-task", warning,
                                 "With enableDynamicWorker, a task that is neither worker nor parameter server "
                                 "receives an empty cluster, which does not contain the task itself."};
constexpr lint_rule kept_servers{
    "lint.tf.kept-servers", info,
    "Parameter servers serve until they are deleted. With cleanPodPolicy None, the default, "
    "they keep running when the job has ended."};

constexpr std::array all{no_end, success_policy, replica_type, task_type, dynamic_task, kept_servers};

constexpr std::string_view success_path = "spec.successPolicy";

bool is_known(std::string_view type) { return std::ranges::find(tf::types, type) != tf::types.end(); }

void lint_success(tf_kind const& job, std::string const& policy, issues& found) {
    if (!job.has_chief() && job.spec_of(tf::worker) == nullptr && !job.specs.empty())
        report(found, no_end, std::string("spec.").append(tf_kind::constants.specs_field),
               "has no replicas of type Chief or Worker, expected at least one of these types");
    if (policy.empty()) return;
    if (policy != tf::all_workers)
        report(found, success_policy, std::string(success_path),
               in_quotes(policy) + " acts like the default, expected AllWorkers or no value");
    else if (job.has_chief())
        report(found, success_policy, std::string(success_path),
               in_quotes(policy) + " has no effect because the job has a chief, expected no value");
}

void lint_tasks(tf_kind const& job, issues& found) {
    for (auto type : job.types()) {
        std::int32_t const count = job.spec_of(type)->replicas.value_or(1);
        if (!is_known(type)) {
            report(found, replica_type, job.path_of(type),
                   "is not a task type of TensorFlow, expected Chief, Evaluator, PS or Worker");
        } else if (type == tf::master) {
            report(found, task_type, job.path_of(type), "is not a task type of TensorFlow 2, expected Chief");
        } else if ((type == tf::chief || type == tf::evaluator) && count > 1) {
            report(found, task_type, job.path_of(type) + ".replicas", std::to_string(count) + ", expected 1");
        }
    }
}

void lint_servers(replica_job const& job, issues& found) {
    auto const* const servers = job.spec_of(tf::parameter_server);
    if (servers != nullptr && servers->replicas.value_or(1) > 0 && job.policy.clean_pod_policy == "None" &&
        !requests_devices(servers->template_.spec))
        report(found, kept_servers, "spec.runPolicy.cleanPodPolicy",
               "None keeps the parameter servers running, expected Running or All");
}

void lint_dynamic(replica_job const& job, issues& found) {
    for (auto type : job.types())
        if (type != tf::worker && type != tf::parameter_server)
            report(found, dynamic_task, job.path_of(type),
                   "receives no address of another task, expected only PS and Worker with spec.enableDynamicWorker");
}

} // namespace

std::span<lint_rule const> tf_kind::lint_rules() noexcept { return all; }

void tf_kind::lint(issues& found) const {
    lint_success(*this, job_.spec.success_policy.value_or(""), found);
    lint_tasks(*this, found);
    lint_servers(*this, found);
    if (job_.spec.enable_dynamic_worker) lint_dynamic(*this, found);
}

} // namespace kftrain::kubeflow_v1
