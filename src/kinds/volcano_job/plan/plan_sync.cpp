#include "kinds/volcano_job/plan/pass.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

constexpr rules::event_messages pod_created("", "", "FailedCreate",
                                            "Error creating pods: [failed to create pod, err: {}]");

bool are_containers_ready(core::pod const& p) {
    return std::ranges::all_of(p.status.container_statuses, [](auto const& c) { return c.ready; });
}

} // namespace

/// Upstream: `syncJob` in `job_controller_actions.go`
void pass::sync() {
    if (!prepare()) return;
    job_status before = stored_.status;
    bool const with_pods = may_create_pods();
    bool changes = false; // of v1.10.0: every difference is a transition
    if (with_pods) {
        job_status counted;
        count_and_create(counted);
        auto& s = status();
        counted.state = std::move(s.state);
        counted.version = s.version;
        counted.retry_count = s.retry_count;
        counted.min_available = stored_.spec.min_available;
        counted.controlled_resources = std::move(s.controlled_resources);
        counted.conditions = std::move(s.conditions);
        counted.unknown = std::move(s.unknown);
        s = std::move(counted);
        changes = !(s == before) || s.task_status_count.empty(); // Go distinguishes an empty map from none
    } else if (release() >= volcano_release::v1_10_0) {
        before = status(); // markers alone are not written
    }
    auto next = phase_after(stored_, stored_.status.state.phase, status());
    if (next.empty() && changes && release() >= volcano_release::v1_10_0) next = stored_.status.state.phase;
    enter(next);
    write(before);
}

/// Once the scheduler has let the gang into the queue.
bool pass::may_create_pods() {
    auto const* const group = world_.find<pod_group>(row::groups, group_name(stored_));
    if (group == nullptr) return false;
    for (auto const& c : group->status.conditions)
        if (c.type == "Unschedulable")
            todo_.emit("Warning", "PodGroupPending",
                       "PodGroup " + stored_.metadata.namespace_ + ":" + stored_.metadata.name +
                           " unschedule,reason: " + c.message);
    return !group->status.phase.empty() && group->status.phase != "Pending";
}

void pass::count_and_create(job_status& counted) {
    auto present = pods_by_task();
    for (auto const& p : world_.of<core::pod>(row::pods)) everyone_.emplace(p.metadata.name, &p);
    std::vector<core::pod const*> surplus;
    for (auto const& task : stored_.spec.tasks) {
        auto& pods = present[task.name];
        std::vector<std::int32_t> missing;
        for (std::int32_t i = 0; i < replicas_of(task); ++i) {
            auto const at = pods.find(pod_name(stored_, task, i));
            if (at == pods.end()) {
                missing.push_back(i);
                continue;
            }
            count(counted, at->second->status.phase, task.name);
            pods.erase(at);
        }
        for (auto const& [name, pod] : pods) surplus.push_back(pod);
        if (!missing.empty() && may_start(task)) create_pods(counted, task, missing);
    }
    for (auto const* pod : surplus) {
        todo_.remove(rules::remove(rules::target(core::pod::resource, pod->metadata), pod_removed));
        ++counted.terminating;
    }
}

/// A pod whose name is still taken by a pod that is being deleted counts as unknown, and is created after that.
void pass::create_pods(job_status& counted, task_spec const& task, std::vector<std::int32_t> const& missing) {
    for (auto const i : missing) {
        if (everyone_.contains(pod_name(stored_, task, i))) {
            count(counted, {}, task.name); // of no phase
            continue;
        }
        rules::create c(render_pod(stored_, task, i, options_, forwarded_), pod_created);
        c.made = pod_recipes(stored_);
        todo_.create(std::move(c));
        count(counted, "Pending", task.name);
    }
}

bool pass::may_start(task_spec const& task) const {
    if (!task.depends_on) return true;
    auto const ready = [&](std::string const& name) {
        auto const* const other = find_task(stored_, name);
        return other != nullptr && is_ready(*other);
    };
    auto const& names = task.depends_on->name;
    if (names.size() > 1 && task.depends_on->iteration == "any") return std::ranges::any_of(names, ready);
    return std::ranges::all_of(names, ready);
}

/// Containers of pods that have ended are not ready: up to v1.14.4 no task starts after a task that has ended.
bool pass::is_ready(task_spec const& task) const {
    if (!task.min_available) return true;
    std::int32_t ready = 0;
    for (std::int32_t i = 0; i < replicas_of(task); ++i) {
        auto const at = everyone_.find(pod_name(stored_, task, i));
        if (at == everyone_.end()) continue;
        auto const& p = *at->second;
        bool const begun = p.status.phase == "Running" || p.status.phase == "Succeeded";
        if (begun && are_containers_ready(p)) ++ready;
    }
    return ready >= *task.min_available;
}

} // namespace kftrain::volcano
