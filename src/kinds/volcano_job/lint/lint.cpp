#include "job/contract/field_error.hpp"
#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "model/rules/namespace_of.hpp"
#include "objects/pod_validation.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace kftrain::volcano {
namespace {

namespace of = lint_rule_of;

bool names_event(lifecycle_policy const& p, std::string_view event) {
    return p.event == event || std::ranges::find(p.events, event) != p.events.end();
}

/// The common settings of the pods of a list of policies.
struct policy_scope {
    policy_scope() = default;

    std::int32_t max_retry = 0;
    bool can_shrink = false;  ///< pods may be deleted while the job runs
    bool pods_restart = true; ///< containers that fail start again in all of them
};

bool restarts(task_spec const& task) {
    auto const& when = task.template_.spec.restart_policy;
    return when.empty() || when == "Always" || when == "OnFailure";
}

/// Whether the policy is about pods that fail, and about nothing else.
bool is_for_failures(lifecycle_policy const& p) {
    if (p.exit_code) return true;
    return (p.event == "PodFailed" && p.events.empty()) ||
           (p.event.empty() && p.events.size() == 1 && p.events.front() == "PodFailed");
}

void lint_list(std::vector<lifecycle_policy> const& policies, std::string const& list, policy_scope const& scope,
               volcano_release release, issues& found) {
    auto const max_retry = scope.max_retry;
    bool any_failure = false; // an earlier policy applies to every failed pod
    for (std::size_t i = 0; i < policies.size(); ++i) {
        auto const& p = policies[i];
        std::string const path = list + "[" + std::to_string(i) + "]";
        if (p.exit_code && any_failure)
            report(found, of::shadowed, path + ".exitCode",
                   std::to_string(*p.exit_code) + " is never checked, expected before the policy for all failures");
        if (p.exit_code && !is_action(p.action, release))
            report(found, of::code_action, path + ".action", in_quotes(p.action) + " is not an action");
        if (p.timeout && release < volcano_release::v1_11_0)
            report(found, of::timeout, path + ".timeout", "has no effect");
        if (p.action == "RestartTask" && release < volcano_release::v1_11_0)
            report(found, of::restart_task, path + ".action", "RestartTask has no effect, expected RestartJob");
        bool const goes = names_event(p, "PodEvicted") || names_event(p, "*");
        bool const parts = p.action == "RestartTask" || p.action == "RestartPod";
        bool const acts = release >= volcano_release::v1_11_0 || p.action != "RestartTask";
        if (is_for_failures(p) && scope.pods_restart) {
            bool const restarts_job = p.action.starts_with("Restart") && !p.exit_code;
            report(found, restarts_job ? of::pod_failure : of::failure_policy,
                   path + (p.exit_code ? ".exitCode" : ".event"),
                   (p.exit_code ? std::to_string(*p.exit_code) : std::string("PodFailed")) +
                       " does not act on a failed container, which restarts in its pod; expected restartPolicy Never "
                       "in the template" +
                       (p.exit_code ? "" : ", or the event TaskFailed with maxRetry of the task"));
        }
        if (goes && acts && scope.can_shrink && p.action != "ResumeJob")
            report(found, of::scale_down, path, "also applies when the job is scaled down");
        if ((p.action == "RestartJob" || (parts && release >= volcano_release::v1_11_0)) && max_retry <= 1)
            report(found, of::retries, path + ".action", p.action + " fails the job, expected maxRetry of 2 or more");
        any_failure = any_failure || names_event(p, "PodFailed") || names_event(p, "*");
    }
}

void lint_gang(job const& job, issues& found) {
    std::int64_t first_stage = 0;
    bool any_waits = false;
    for (auto const& t : job.spec.tasks) {
        bool const waits = t.depends_on && !t.depends_on->name.empty();
        any_waits = any_waits || waits;
        if (!waits) first_stage += t.replicas;
    }
    if (!any_waits) return;
    std::string const path = "spec.minAvailable";
    if (job.spec.min_available > first_stage)
        report(found, of::gang_stage, path,
               std::to_string(job.spec.min_available) + ", expected at most " + std::to_string(first_stage) +
                   ", the number of pods of tasks that do not wait");
    else if (job.spec.min_available >= total_min_available(job))
        report(found, of::gang_stage, path,
               std::to_string(job.spec.min_available) + ", expected less than " +
                   std::to_string(total_min_available(job)) + ", the sum over all tasks");
}

void lint_volumes(job const& job, issues& found) {
    std::set<std::string_view> claims;
    for (std::size_t i = 0; i < job.spec.volumes.size(); ++i) {
        auto const& v = job.spec.volumes[i];
        if (!v.volume_claim_name.empty() && !claims.insert(v.volume_claim_name).second)
            report(found, of::claim, "spec.volumes[" + std::to_string(i) + "].volumeClaimName",
                   in_quotes(v.volume_claim_name) + " is already mounted, so it is not mounted at " + v.mount_path);
    }
}

void lint_later_fields(job const& job, volcano_release release, issues& found) {
    if (job.spec.network_topology && release < volcano_release::v1_12_3)
        report(found, of::later_field, "spec.networkTopology",
               "a field of Volcano v1.12 and later, expected such a server");
}

/// Reports variables of the template that variables of the operator replace.
void lint_environment(core::container const& written, core::container const& made, std::string const& path,
                      issues& found) {
    std::map<std::string_view, core::env_var const*> appended;
    for (std::size_t i = written.env.size(); i < made.env.size(); ++i) appended[made.env[i].name] = &made.env[i];
    for (std::size_t i = 0; i < written.env.size(); ++i) {
        auto const& v = written.env[i];
        auto const own = appended.find(v.name);
        if (own == appended.end() || *own->second == v) continue;
        report(found, of::environment, path + ".env[" + std::to_string(i) + "]",
               v.name + "=" + in_quotes(v.value) + " has no effect: a plugin sets " + v.name);
    }
}

void lint_metadata(string_map const& written, string_map const& made, std::string const& path, issues& found) {
    for (auto const& [name, value] : written) {
        auto const own = made.find(name);
        if (own != made.end() && own->second != value)
            report(found, of::labels, path + "[" + name + "]",
                   in_quotes(value) + " is overwritten: " + name + " belongs to the operator");
    }
}

/// Faults that the template does not have by itself: admission refuses those.
void lint_pod(core::pod const& pod, task_spec const& task, std::string const& path, issues& found) {
    core::pod plain;
    plain.metadata.name = pod.metadata.name;
    plain.spec = task.template_.spec;
    std::set<std::string> known;
    for (auto const& f : created_pod_faults(plain)) known.insert(f.text());
    for (auto const& f : created_pod_faults(pod))
        if (!known.contains(f.text())) report(found, of::pod, path + "." + f.field, f.message);
}

} // namespace

void lint_policies(job const& job, volcano_release release, issues& found) {
    policy_scope all;
    all.max_retry = job.spec.max_retry;
    all.can_shrink = job.spec.min_available < total_replicas(job);
    all.pods_restart = std::ranges::all_of(job.spec.tasks, &restarts);
    lint_list(job.spec.policies, "spec.policies", all, release, found);
    for (std::size_t i = 0; i < job.spec.tasks.size(); ++i) {
        auto const& task = job.spec.tasks[i];
        policy_scope own = all;
        own.can_shrink = all.can_shrink && min_available_of(task) < replicas_of(task);
        own.pods_restart = restarts(task);
        lint_list(task.policies, task_path(i) + ".policies", own, release, found);
    }
}

std::span<lint_rule const> lint_rules() noexcept { return of::all; }

void lint(job const& given, issues& found, volcano_operator_options const& options) {
    job completed = given;
    completed.metadata.namespace_ = namespace_of(completed.metadata);
    lint_plugins(completed, options, found);
    lint_policies(completed, options.release, found);
    lint_commands(completed, options, found);
    lint_gang(completed, found);
    lint_volumes(completed, found);
    lint_later_fields(completed, options.release, found);
    lint_templates(completed, options, found);
}

void lint_templates(job const& given, volcano_operator_options const& options, issues& found) {
    if (environment_bytes(given, options) > most_environment_bytes) return; // admission reports it
    auto const named = with_claim_names(given);
    for (std::size_t i = 0; i < named.spec.tasks.size(); ++i) {
        auto const& task = named.spec.tasks[i];
        std::string const path = "spec.tasks[" + std::to_string(i) + "].template";
        auto const& when = task.template_.spec.restart_policy;
        if (when.empty() || when == "Always")
            report(found, of::restart_policy, path + ".spec.restartPolicy", "Always, expected OnFailure or Never");
        auto const pod = render_pod(named, task, 0, options);
        lint_metadata(task.template_.metadata.labels, pod.metadata.labels, path + ".metadata.labels", found);
        lint_metadata(task.template_.metadata.annotations, pod.metadata.annotations, path + ".metadata.annotations",
                      found);
        auto const& written = task.template_.spec;
        for (std::size_t c = 0; c < written.containers.size(); ++c)
            lint_environment(written.containers[c], pod.spec.containers[c],
                             path + ".spec.containers[" + std::to_string(c) + "]", found);
        for (std::size_t c = 0; c < written.init_containers.size(); ++c)
            lint_environment(written.init_containers[c], pod.spec.init_containers[c],
                             path + ".spec.initContainers[" + std::to_string(c) + "]", found);
        lint_pod(pod, task, path, found);
    }
}

} // namespace kftrain::volcano
