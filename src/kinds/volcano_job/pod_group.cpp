#include "kinds/volcano_job/render.hpp"

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
    // Of one priority they stay in the order of the job, in which they lie.
    std::ranges::sort(all, [&](task_spec const* a, task_spec const* b) {
        auto const of_a = priority_of(*a, priorities), of_b = priority_of(*b, priorities);
        return of_a != of_b ? of_a > of_b : a < b;
    });
    return all;
}

void add(resource_list& sum, resource_list const& amounts, std::int64_t times = 1) {
    if (times <= 0) return;
    for (auto const& [name, amount] : amounts) {
        auto const [it, first] = sum.try_emplace(name, amount * times);
        if (!first) it->second += amount * times;
    }
}

void raise(resource_list& all, resource_list const& amounts) {
    for (auto const& [name, amount] : amounts) {
        auto const [it, first] = all.try_emplace(name, amount);
        if (!first && it->second < amount) it->second = amount;
    }
}

bool is_sidecar(core::container const& c) { return c.restart_policy && *c.restart_policy == "Always"; }

/** The resources of a pod: the sum over its containers, or a larger need of an init container together with the
    sidecars that started before it. Upstream: kubernetes v1.29 `pkg/api/v1/resource/helpers.go` */
resource_list needed(core::pod_spec const& pod, resource_list core::resource_requirements::* list) {
    resource_list sum, sidecars, most;
    for (auto const& c : pod.containers) add(sum, c.resources.*list);
    for (auto const& c : pod.init_containers) {
        resource_list at_once = c.resources.*list;
        if (is_sidecar(c)) {
            add(sum, at_once);
            add(sidecars, at_once);
            at_once = sidecars;
        } else {
            add(at_once, sidecars);
        }
        raise(most, at_once);
    }
    raise(sum, most);
    return sum;
}

bool is_native(std::string_view name) noexcept {
    return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}

constexpr std::string_view requests = "requests.";
constexpr std::string_view limits = "limits.";

std::string with(std::string_view start, std::string const& name) { return std::string(start) + name; }

/// The pods of the first tasks, by priority, until there are so many.
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

/// First what every task needs at least, then what is still missing, both by priority.
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
    auto wanted = needed(pod, &core::resource_requirements::requests);
    auto allowed = needed(pod, &core::resource_requirements::limits);
    add(wanted, pod.overhead);
    for (auto const& [name, amount] : pod.overhead)
        if (auto const it = allowed.find(name); it != allowed.end() && !it->second.is_zero()) it->second += amount;
    resource_list usage;
    usage.emplace("count/pods", quantity("1"));
    usage.emplace("pods", quantity("1"));
    for (auto const& [name, amount] : wanted) {
        bool const computing = name == "cpu" || name == "memory" || name == "ephemeral-storage";
        bool const shared = computing || name.starts_with("hugepages-") || !is_native(name);
        if (!shared) continue;
        usage[name] = amount;
        usage[with(requests, name)] = amount;
    }
    for (auto const& [name, amount] : allowed)
        if (name == "cpu" || name == "memory" || name == "ephemeral-storage") usage[with(limits, name)] = amount;
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
