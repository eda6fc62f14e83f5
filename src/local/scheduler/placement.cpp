#include "local/scheduler/placement.hpp"

#include "local/scheduler/free_nodes.hpp"
#include "local/scheduler/node_fit.hpp"
#include "objects/pod_resources.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace kftrain::local {
namespace {

constexpr std::string_view volcano_group_annotation = "scheduling.k8s.io/group-name";
constexpr std::string_view volcano_task_annotation = "volcano.sh/task-spec";
constexpr std::string_view coscheduling_group_label = "scheduling.x-k8s.io/pod-group";
constexpr std::string_view default_queue = "default";

std::string const* find(string_map const& all, std::string_view name) {
    auto const it = all.find(name);
    return it != all.end() ? &it->second : nullptr;
}

std::string node_of(core::pod const& p, cluster_objects const& objects) {
    if (!p.spec.node_name.empty()) return p.spec.node_name;
    auto const it = objects.bound.find(p.metadata.uid);
    return it != objects.bound.end() ? it->second : std::string();
}

/// Pods that are placed together: a gang, or a single pod.
struct unit {
    std::vector<pod_pointer> unplaced;
    std::int32_t priority = 0;
    std::optional<time_point> created;
    std::string name; ///< of the first pod, so that the order is always the same

    std::shared_ptr<volcano::pod_group const> volcano;
    std::shared_ptr<coscheduling::pod_group const> coscheduling;
    std::string absent_group;                 ///< that a pod refers to
    std::int64_t placed = 0;                  ///< number of pods of the gang that have a node or succeeded
    std::map<std::string, std::int64_t> done; ///< the same by task

    std::int64_t minimum() const {
        return volcano ? volcano->spec.min_member : coscheduling ? coscheduling->spec.min_member : 0;
    }
};

std::string task_of(core::pod const& p) {
    auto const* const task = find(p.metadata.annotations, volcano_task_annotation);
    return task != nullptr ? *task : std::string();
}

/// Resources that the pods of each queue use, and the limits.
class queue_limits {
public:
    explicit queue_limits(cluster_objects const& objects) {
        for (auto const& q : objects.queues) limits_[q->metadata.name] = amounts_of(q->spec.capability);
    }

    static std::string queue_of(volcano::pod_group const& g) {
        return g.spec.queue.empty() ? std::string(default_queue) : g.spec.queue;
    }
    /// Returns why the queue has no room for a pod; otherwise takes it.
    std::string take(std::string const& queue, amounts const& needs) {
        auto& used = used_[queue];
        for (auto const& [name, limit] : limits_[queue]) {
            auto const needed = needs.find(name);
            if (needed == needs.end() || needed->second <= limit - used[name]) continue;
            return "queue " + queue + " has no capability left: insufficient " + name;
        }
        add(used, needs);
        return {};
    }
    void add_used(std::string const& queue, amounts const& needs) { add(used_[queue], needs); }
    void give_back(std::string const& queue, amounts const& needs) { subtract(used_[queue], needs); }

private:
    std::map<std::string, amounts> limits_;
    std::map<std::string, amounts> used_;
};

class placing {
public:
    explicit placing(cluster_objects const& objects) : objects_(objects), nodes_(objects.nodes), queues_(objects) {}

    placement run() && {
        collect();
        std::vector<unit const*> order;
        for (auto const& [key, u] : units_) order.push_back(&u);
        std::ranges::sort(order, [](unit const* a, unit const* b) {
            return std::tie(b->priority, a->created, a->name) < std::tie(a->priority, b->created, b->name);
        });
        for (auto const* u : order) place(*u);
        return std::move(result_);
    }

private:
    struct trial {
        pod_pointer pod;
        amounts needs;
        std::string node; ///< empty: there is none
        std::string why;
    };

    unit& unit_of(core::pod const& p) {
        auto const& meta = p.metadata;
        auto const open = [&](std::string_view kind, std::string const& group) -> unit& {
            return units_[std::string(kind) + "/" + meta.namespace_ + "/" + group];
        };
        if (auto const* const group = find(meta.annotations, volcano_group_annotation)) {
            auto& u = open("volcano", *group);
            u.volcano = named(objects_.volcano_groups, meta.namespace_, *group);
            if (!u.volcano) u.absent_group = *group;
            return u;
        }
        if (auto const* const group = find(meta.labels, coscheduling_group_label)) {
            auto& u = open("coscheduling", *group);
            u.coscheduling = named(objects_.coscheduling_groups, meta.namespace_, *group);
            if (!u.coscheduling) u.absent_group = *group;
            return u;
        }
        return open("pod", meta.name);
    }

    /// `all` is ordered by namespace and name.
    template <class T>
    static std::shared_ptr<T const> named(shared_list<T> const& all, std::string const& ns, std::string const& name) {
        auto const key = [](auto const& o) { return std::tie(o->metadata.namespace_, o->metadata.name); };
        auto const it = std::ranges::lower_bound(all, std::tie(ns, name), {}, key);
        return it != all.end() && (*it)->metadata.namespace_ == ns && (*it)->metadata.name == name ? *it : nullptr;
    }

    void collect() {
        for (auto const& p : objects_.pods) {
            auto const node = node_of(*p, objects_);
            auto& u = unit_of(*p);
            if (!node.empty() && !has_ended(*p)) {
                auto const needs = requests_of(p->spec);
                bool const terminating = p->metadata.deletion_timestamp || objects_.evicted.contains(p->metadata.uid);
                nodes_.add_running(node, p, needs, terminating);
                if (u.volcano) queues_.add_used(queue_limits::queue_of(*u.volcano), needs);
                if (evicts(*p, node)) result_.evicted.push_back(p);
            }
            if (node.empty() && !has_ended(*p)) {
                if (p->metadata.deletion_timestamp || !p->spec.scheduling_gates.empty()) continue;
                add_unplaced(u, p);
            } else if (p->status.phase != "Failed") {
                ++u.placed;
                ++u.done[task_of(*p)];
            }
        }
    }

    static void add_unplaced(unit& u, pod_pointer const& p) {
        auto const priority = p->spec.priority.value_or(0);
        if (u.unplaced.empty() || priority > u.priority) u.priority = priority;
        if (!u.created || (p->metadata.creation_timestamp && *p->metadata.creation_timestamp < *u.created))
            u.created = p->metadata.creation_timestamp;
        if (u.name.empty()) u.name = p->metadata.namespace_ + "/" + p->metadata.name;
        u.unplaced.push_back(p);
    }

    bool evicts(core::pod const& p, std::string const& name) const {
        if (p.metadata.deletion_timestamp) return false;
        auto const* const node = nodes_.find(name);
        if (node == nullptr) return true;
        return std::ranges::any_of(node->spec.taints, [&](core::taint const& t) {
            return t.effect == "NoExecute" && !is_tolerated(t, p.spec.tolerations);
        });
    }

    void place(unit const& u) {
        if (u.unplaced.empty()) {
            if (u.volcano) result_.gangs.push_back({u.volcano, {}});
            return;
        }
        if (auto const why = why_not_yet(u); !why.empty()) return wait(u, why);
        auto trials = try_all(u);
        // Gangs preempt nothing, as with the default configuration of Volcano.
        if (!u.volcano && !u.coscheduling && trials.front().node.empty()) return preempt(trials.front());
        if (is_enough(u, trials)) {
            for (auto& t : trials) {
                if (t.node.empty())
                    result_.waiting.push_back({t.pod, t.why, {}});
                else
                    result_.placed.push_back({t.pod, t.node});
            }
            if (u.volcano) result_.gangs.push_back({u.volcano, {}});
            return;
        }
        for (auto const& t : trials) {
            if (t.node.empty()) continue;
            nodes_.give_back(t.node, *t.pod, t.needs);
            if (u.volcano) queues_.give_back(queue_limits::queue_of(*u.volcano), t.needs);
        }
        wait(u, why_incomplete(u, trials));
    }

    /// Reserves the node for which pods end or are evicted: later pods have no higher priority.
    void preempt(trial const& t) {
        auto nominated = nominated_node(*t.pod);
        auto found = nodes_.find_target(*t.pod, t.needs, nominated);
        nominated = found ? found->node : std::string();
        if (found) nodes_.reserve(found->node, *t.pod, t.needs);
        if (found && !found->victims.empty())
            result_.preemptions.push_back({t.pod, found->node, std::move(found->victims)});
        result_.waiting.push_back({t.pod, t.why, std::move(nominated)});
    }

    std::string nominated_node(core::pod const& p) const {
        auto const it = objects_.nominated.find(p.metadata.uid);
        return it != objects_.nominated.end() ? it->second : p.status.nominated_node_name;
    }

    static std::string why_not_yet(unit const& u) {
        if (!u.absent_group.empty()) return "PodGroup " + u.absent_group + " does not exist";
        if (u.volcano && (u.volcano->status.phase.empty() || u.volcano->status.phase == "Pending"))
            return "PodGroup " + u.volcano->metadata.name + " is Pending: its queue " +
                   queue_limits::queue_of(*u.volcano) + " does not exist or is not open";
        auto const number = std::ssize(u.unplaced) + u.placed;
        if (number >= u.minimum()) return {};
        if (u.coscheduling)
            return "cannot find enough sibling pods, current pods number: " + std::to_string(number) +
                   ", minMember of group: " + std::to_string(u.minimum());
        return "pod group is not ready, " + std::to_string(u.unplaced.size()) + " Pending, " +
               std::to_string(u.minimum()) + " minAvailable";
    }

    std::vector<trial> try_all(unit const& u) {
        std::vector<trial> trials;
        for (auto const& p : u.unplaced) {
            auto& t = trials.emplace_back(trial{p, requests_of(p->spec), {}, {}});
            auto const queue = u.volcano ? queue_limits::queue_of(*u.volcano) : std::string();
            if (u.volcano) t.why = queues_.take(queue, t.needs);
            if (!t.why.empty()) continue;
            t.node = nodes_.place(*p, t.needs, t.why);
            if (t.node.empty() && u.volcano) queues_.give_back(queue, t.needs);
        }
        return trials;
    }

    /// Minimums of tasks count if the gang needs all of them, as in Volcano.
    static bool is_enough(unit const& u, std::vector<trial> const& trials) {
        auto placed = u.placed;
        auto by_task = u.done;
        for (auto const& t : trials) {
            if (t.node.empty()) continue;
            ++placed;
            ++by_task[task_of(*t.pod)];
        }
        if (placed < u.minimum()) return false;
        if (!u.volcano) return true;
        std::int64_t total = 0;
        for (auto const& [task, number] : u.volcano->spec.min_task_member) total += number;
        if (u.minimum() < total) return true;
        return std::ranges::all_of(u.volcano->spec.min_task_member,
                                   [&](auto const& m) { return by_task[m.first] >= m.second; });
    }

    static std::string why_incomplete(unit const& u, std::vector<trial> const& trials) {
        auto const failed = std::ranges::find_if(trials, [](trial const& t) { return t.node.empty(); });
        auto const unschedulable = std::ranges::count_if(trials, [](trial const& t) { return t.node.empty(); });
        auto const schedulable = std::ssize(trials) - unschedulable;
        auto text = std::to_string(trials.size()) + "/" + std::to_string(std::ssize(trials) + u.placed) +
                    " tasks in gang unschedulable: pod group is not ready, " + std::to_string(trials.size()) +
                    " Pending, " + std::to_string(u.minimum()) + " minAvailable; Pending: ";
        if (schedulable != 0) text += std::to_string(schedulable) + " Schedulable, ";
        text += std::to_string(unschedulable) + " Unschedulable";
        if (failed != trials.end()) text += ". Origin reason is " + failed->pod->metadata.name + ": " + failed->why;
        return text;
    }

    void wait(unit const& u, std::string const& why) {
        for (auto const& p : u.unplaced) result_.waiting.push_back({p, why, {}});
        if (u.volcano) result_.gangs.push_back({u.volcano, why});
    }

    cluster_objects const& objects_;
    free_nodes nodes_;
    queue_limits queues_;
    std::map<std::string, unit> units_;
    placement result_;
};

} // namespace

placement place_pods(cluster_objects const& objects) { return placing(objects).run(); }

} // namespace kftrain::local
