#include <kftrain/kinds/volcano_job_builder.hpp>

#include "job/v1/built_job.hpp"

#include <kftrain/job/job_rules.hpp>

#include <stdexcept>

namespace kftrain::volcano {
namespace {

constexpr std::string_view main_container = "main";

std::string_view to_wire(policy_event event) noexcept {
    switch (event) {
    case policy_event::any: return "*";
    case policy_event::pod_failed: return "PodFailed";
    case policy_event::pod_evicted: return "PodEvicted";
    case policy_event::unknown: return "Unknown";
    case policy_event::task_completed: return "TaskCompleted";
    case policy_event::task_failed: return "TaskFailed";
    }
    return "";
}

std::string_view to_wire(policy_action action) noexcept {
    switch (action) {
    case policy_action::abort: return "AbortJob";
    case policy_action::restart: return "RestartJob";
    case policy_action::terminate: return "TerminateJob";
    case policy_action::complete: return "CompleteJob";
    }
    return "";
}

task_spec made_task(task_choices const& chosen, pod_choices const& common) {
    replica_choices replicas;
    replicas.count = chosen.count;
    replicas.own = chosen.own;
    auto made = kftrain::detail::make_replicas(main_container, common, replicas);
    task_spec task;
    task.name = chosen.name;
    task.replicas = chosen.count;
    task.template_ = std::move(made.template_);
    // Tasks have no other field for the policy, and pods without one would never end.
    task.template_.spec.restart_policy = made.restart_policy.empty() ? std::string("Never") : made.restart_policy;
    task.policies = chosen.policies;
    if (!chosen.depends_on.empty()) task.depends_on.emplace().name = chosen.depends_on;
    return task;
}

} // namespace

lifecycle_policy detail::policy_of(policy_event event, policy_action action) {
    lifecycle_policy p;
    p.event = to_wire(event);
    p.action = to_wire(action);
    return p;
}

lifecycle_policy detail::policy_of(std::int32_t exit_code, policy_action action) {
    lifecycle_policy p;
    p.exit_code = exit_code;
    p.action = to_wire(action);
    return p;
}

task_choices& job_builder::last_task() {
    if (choices_.tasks.empty()) throw std::logic_error("no task yet: call task() before setting its properties");
    return choices_.tasks.back();
}

result<job> detail::build(job_choices const& chosen, pod_choices const& pod) {
    job made;
    made.metadata = chosen.metadata;
    made.spec = chosen.spec;
    for (auto const& t : chosen.tasks) made.spec.tasks.push_back(made_task(t, pod));
    std::vector<kftrain::detail::built_pod> pods;
    for (std::size_t i = 0; i < made.spec.tasks.size(); ++i)
        pods.push_back({&made.spec.tasks[i].template_.spec, "spec.tasks[" + std::to_string(i) + "].template.spec"});
    auto const rules = job_rules_for<job>().with(operator_options().set(chosen.operator_));
    if (auto why = kftrain::detail::why_refused(*rules, &made, pods, chosen.problems)) return *std::move(why);
    return made;
}

} // namespace kftrain::volcano
