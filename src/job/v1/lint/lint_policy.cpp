#include "base/is_one_of.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/lint/lint_table.hpp"

#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

void lint_numbers(run_policy const& policy, issues& found) {
    std::string const path = "spec.runPolicy.";
    if (policy.active_deadline_seconds && *policy.active_deadline_seconds <= 0)
        report(found, lint::active_deadline, path + "activeDeadlineSeconds",
               std::to_string(*policy.active_deadline_seconds) + ", expected at least 1");
    else if (policy.active_deadline_seconds)
        report(found, lint::late_deadline, path + "activeDeadlineSeconds",
               std::to_string(*policy.active_deadline_seconds) +
                   " seconds: the operator may notice the end of this time late");
    auto const negative = [&](std::optional<std::int32_t> value, std::string_view field) {
        if (value && *value < 0)
            report(found, lint::negative_limit, path + std::string(field),
                   std::to_string(*value) + ", expected at least 0");
    };
    negative(policy.ttl_seconds_after_finished, "ttlSecondsAfterFinished");
    negative(policy.backoff_limit, "backoffLimit");
}

void lint_cleaning(replica_job const& written, replica_job const& complete, issues& found) {
    static constexpr std::array<std::string_view, 3> known{"All", "Running", "None"};
    std::string const path = "spec.runPolicy.cleanPodPolicy";
    std::string const policy = complete.policy.clean_pod_policy.value_or("None");
    if (!is_one_of(policy, known))
        report(found, lint::clean_pod_policy, path,
               in_quotes(policy) + " acts like All, expected All, Running or None");
    if (written.policy.clean_pod_policy || policy != "None" || complete.total_replicas() < 2) return;
    for (auto type : complete.types())
        if (requests_devices(complete.spec_of(type)->template_.spec))
            return report(found, lint::kept_devices, path,
                          "is absent, expected All, Running, or None to keep pods that still run");
}

void lint_restarts(replica_job const& job, issues& found) {
    static constexpr std::array<std::string_view, 4> known{"Always", "OnFailure", "Never", "ExitCode"};
    bool counts = false;
    for (auto type : job.types()) {
        auto const& spec = *job.spec_of(type);
        std::string const path = job.path_of(type);
        auto const& policy = spec.restart_policy;
        if (!is_one_of(policy, known))
            report(found, lint::restart_policy, path + ".restartPolicy",
                   in_quotes(policy) + ", expected Always, OnFailure, Never or ExitCode");
        if (policy == "Always")
            report(found, lint::always_restarted, path + ".restartPolicy",
                   "\"Always\" restarts containers that have succeeded, expected OnFailure, Never or ExitCode");
        if (job.constants.ends_by_any_pod && (policy == "OnFailure" || policy == "Always"))
            report(found, lint::pod_failure, path + ".restartPolicy",
                   in_quotes(policy) + " restarts only containers, expected ExitCode to replace failed pods as well");
        if (policy == "ExitCode" && job.policy.ttl_seconds_after_finished && !job.constants.dates_all_ends &&
            job.constants.release == operator_release::v1_9_0)
            report(found, lint::ttl_exit_code, "spec.runPolicy.ttlSecondsAfterFinished",
                   "has no effect if a " + std::string(type) +
                       " fails permanently, because its restartPolicy is ExitCode");
        auto const& inner = spec.template_.spec.restart_policy;
        if (!inner.empty() && inner != (policy == "ExitCode" ? "Never" : policy))
            report(found, lint::template_restart_policy, path + ".template.spec.restartPolicy",
                   in_quotes(inner) + " is overwritten by " + path + ".restartPolicy, which is " + in_quotes(policy));
        counts = counts || policy == "Always" || policy == "OnFailure";
    }
    if (job.policy.backoff_limit.value_or(0) > 0 && !counts && !job.specs.empty())
        report(found, lint::unused_backoff_limit, "spec.runPolicy.backoffLimit",
               std::to_string(*job.policy.backoff_limit) +
                   " is never reached, expected at least one replica with restartPolicy OnFailure");
}

/// Pods that the author wants to keep, and a limit deletes.
void lint_limits(replica_job const& written, issues& found) {
    auto const& policy = written.policy;
    if (policy.clean_pod_policy != "None") return;
    for (auto const& [set, field] : {std::pair(policy.backoff_limit.has_value(), "backoffLimit"),
                                     std::pair(policy.active_deadline_seconds.has_value(), "activeDeadlineSeconds")})
        if (set)
            return report(found, lint::limits_delete_pods, "spec.runPolicy.cleanPodPolicy",
                          std::string("None keeps no pods if the job exceeds ") + field);
}

/// Reports settings that keep a job from starting on purpose.
void lint_waiting(replica_job const& job, issues& found) {
    static constexpr std::string_view own = "kubeflow.org/training-operator";
    auto const& manager = job.policy.managed_by;
    if (manager && *manager != own && job.constants.manager != manager_rule::ignored)
        report(found, lint::managed_by, "spec.runPolicy.managedBy",
               in_quotes(*manager) + " manages the job, so the training operator ignores it");
    if (job.policy.suspend.value_or(false))
        report(found, lint::suspended, "spec.runPolicy.suspend", "true, so the job has no pods until it is false");
}

void lint_gang_flag(replica_job const& written, issues& found) {
    auto const report_at = [&](std::string path, std::string_view what) {
        report(found, lint::gang_flag, std::move(path),
               std::string(what) + ", unless the operator has the flag --gang-scheduler-name=volcano or another one");
    };
    if (written.policy.scheduling_policy) return report_at("spec.runPolicy.schedulingPolicy", "creates no PodGroup");
    if (written.total_replicas() < 2) return;
    for (auto type : written.types())
        if (written.spec_of(type)->template_.spec.scheduler_name == "volcano")
            return report_at(written.path_of(type) + ".template.spec.schedulerName",
                             "\"volcano\" does not start the pods together");
}

void lint_gang(replica_job const& job, issues& found) {
    auto const& gang = job.policy.scheduling_policy;
    if (!gang || !gang->min_available) return;
    std::int64_t const wanted = *gang->min_available;
    std::int64_t const total = job.total_replicas();
    std::string const path = "spec.runPolicy.schedulingPolicy.minAvailable";
    if (wanted > total)
        report(found, lint::gang_deadlock, path,
               std::to_string(wanted) + ", expected at most " + std::to_string(total) +
                   ", the number of replicas of the job");
    else if (wanted < total && !job.is_elastic())
        report(found, lint::gang_partial, path,
               std::to_string(wanted) + ", expected " + std::to_string(total) + ", the number of replicas of the job");
}

} // namespace

void lint_policy(replica_job const& written, replica_job const& complete, gang_scheduler const& gang, issues& found) {
    lint_numbers(complete.policy, found);
    lint_cleaning(written, complete, found);
    lint_restarts(complete, found);
    lint_limits(written, found);
    lint_gang(complete, found);
    if (!gang) lint_gang_flag(written, found);
    lint_waiting(complete, found);
}

} // namespace kftrain::kubeflow_v1
