#include "kinds/volcano_job/kind.hpp"
#include "objects/pod_resources.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

std::int32_t priority_of(task_spec const& task, priority_map const& priorities) noexcept {
    auto const it = priorities.find(task.template_.spec.priority_class_name);
    return it == priorities.end() ? 0 : it->second;
}

std::vector<task_spec const*> by_priority(job const& job, priority_map const& priorities) {
    std::vector<task_spec const*> all;
    for (auto const& t : job.spec.tasks) all.push_back(&t);
    // Tasks of the same priority stay in the order of the job, which is that of their addresses.
    std::ranges::sort(all, [&](task_spec const* a, task_spec const* b) {
        auto const of_a = priority_of(*a, priorities), of_b = priority_of(*b, priorities);
        return of_a != of_b ? of_a > of_b : a < b;
    });
    return all;
}

void add(resource_list& sum, resource_list const& amounts, std::int64_t times) {
    if (times <= 0) return;
    for (auto const& [name, amount] : amounts) {
        auto const [it, first] = sum.try_emplace(name, amount * times);
        if (!first) it->second += amount * times;
    }
}

/// This number of pods of the tasks with the highest priorities.
resource_list of_the_first(std::vector<task_spec const*> const& tasks, std::int64_t count) {
    resource_list sum;
    for (auto const* t : tasks) {
        std::int64_t const pods = std::clamp<std::int64_t>(count, 0, replicas_of(*t));
        add(sum, quota_usage(t->template_.spec), pods);
        count -= pods;
        if (count <= 0) break;
    }
    return sum;
}

/// First the minimum of every task, then the remaining pods, both by priority.
resource_list of_all_tasks(std::vector<task_spec const*> const& tasks, std::int64_t count) {
    resource_list sum;
    for (bool const at_least : {true, false})
        for (auto const* t : tasks) {
            if (count <= 0) return sum;
            std::int64_t const least = t->min_available.value_or(0);
            std::int64_t const pods = std::clamp<std::int64_t>(at_least ? least : replicas_of(*t) - least, 0, count);
            add(sum, quota_usage(t->template_.spec), pods);
            count -= pods;
        }
    return sum;
}

} // namespace

resource_list quota_usage(core::pod_spec const& pod) {
    auto wanted = total_of(pod, [](core::container const& c) { return c.resources.requests; });
    auto allowed = total_of(pod, [](core::container const& c) { return c.resources.limits; });
    add_amounts(wanted, pod.overhead);
    for (auto const& [name, amount] : pod.overhead)
        if (auto const it = allowed.find(name); it != allowed.end() && !it->second.is_zero()) it->second += amount;
    resource_list counted;
    for (auto const& [name, amount] : wanted)
        if (has_short_quota_name(name) || !is_native_resource(name)) counted.emplace(name, amount);
    auto usage = quota_amounts(counted, allowed);
    usage.insert(counted.begin(), counted.end());
    usage.emplace("count/pods", quantity("1"));
    usage.emplace("pods", quantity("1"));
    return usage;
}

resource_list min_resources(job const& job, priority_map const& priorities, volcano_release release) {
    auto const tasks = by_priority(job, priorities);
    std::int64_t const count = job.spec.min_available;
    bool const some_tasks = release < volcano_release::v1_10_0 || count < total_min_available(job);
    auto sum = some_tasks ? of_the_first(tasks, count) : of_all_tasks(tasks, count);
    for (auto it = sum.begin(); it != sum.end(); ++it) it->second = quantity(it->second.canonical());
    return sum;
}

pod_group_spec group_spec(job const& job, priority_map const& priorities, volcano_release release) {
    pod_group_spec spec;
    spec.min_member = job.spec.min_available;
    for (auto const& t : job.spec.tasks) spec.min_task_member[t.name] = min_available_of(t);
    spec.queue = job.spec.queue;
    spec.priority_class_name = job.spec.priority_class_name;
    spec.min_resources = min_resources(job, priorities, release);
    if (release >= volcano_release::v1_12_3) spec.network_topology = job.spec.network_topology;
    return spec;
}

pod_group render_pod_group(job const& job, priority_map const& priorities, volcano_release release) {
    pod_group group;
    group.metadata = child_metadata(job, group_name(job));
    group.metadata.labels = job.metadata.labels;
    group.metadata.annotations = job.metadata.annotations;
    group.spec = group_spec(job, priorities, release);
    return group;
}

} // namespace kftrain::volcano
