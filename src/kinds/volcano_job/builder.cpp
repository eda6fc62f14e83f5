#include <kftrain/kinds/volcano_job_builder.hpp>

#include "job/v1/built_job.hpp"

#include <stdexcept>

namespace kftrain::volcano {
namespace {

constexpr std::string_view main_container = "main";

std::string_view to_wire(job_event event) noexcept {
    switch (event) {
    case job_event::any: return "*";
    case job_event::pod_failed: return "PodFailed";
    case job_event::pod_evicted: return "PodEvicted";
    case job_event::unknown: return "Unknown";
    case job_event::task_completed: return "TaskCompleted";
    case job_event::task_failed: return "TaskFailed";
    }
    return "";
}

std::string_view to_wire(job_action action) noexcept {
    switch (action) {
    case job_action::abort: return "AbortJob";
    case job_action::restart: return "RestartJob";
    case job_action::terminate: return "TerminateJob";
    case job_action::complete: return "CompleteJob";
    }
    return "";
}

task_spec task_of(task_choices const& chosen, pod_choices const& common) {
    replica_choices replicas;
    replicas.count = chosen.count;
    replicas.own = chosen.own;
    auto made = kftrain::detail::make_replicas(main_container, common, replicas);
    task_spec task;
    task.name = chosen.name;
    task.replicas = chosen.count;
    task.template_ = std::move(made.template_);
    // Those of Volcano have no other place for it; without one they would never end.
    task.template_.spec.restart_policy = made.restart_policy.empty() ? std::string("Never") : made.restart_policy;
    task.policies = chosen.policies;
    if (!chosen.depends_on.empty()) task.depends_on.emplace().name = chosen.depends_on;
    return task;
}

} // namespace

lifecycle_policy detail::policy_of(job_event event, job_action action) {
    lifecycle_policy p;
    p.event = to_wire(event);
    p.action = to_wire(action);
    return p;
}

lifecycle_policy detail::policy_of(std::int32_t exit_code, job_action action) {
    lifecycle_policy p;
    p.exit_code = exit_code;
    p.action = to_wire(action);
    return p;
}

task_choices& job_builder::last_task() {
    if (choices_.tasks.empty()) throw std::logic_error("there is no task yet: call task() before what it is to have");
    return choices_.tasks.back();
}

result<job> detail::build(job_choices const& chosen, pod_choices const& pod) {
    job made;
    made.metadata = chosen.metadata;
    made.spec = chosen.spec;
    for (auto const& t : chosen.tasks) made.spec.tasks.push_back(task_of(t, pod));
    issues found = chosen.problems;
    job complete = made;
    set_defaults(complete, chosen.told);
    for (auto& fault : validate(complete, chosen.told)) found.push_back(std::move(fault));
    lint(made, found, chosen.told);
    if (has_errors(found)) return kftrain::detail::refused(found);
    return made;
}

} // namespace kftrain::volcano
