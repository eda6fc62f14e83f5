#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/render.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace kftrain::volcano {
namespace {

/** Removes tasks without dependencies until none is left. A task that occurs twice in a dependency list is counted
    twice and removed once, so that the dependent task is never removed. */
bool is_acyclic(job const& job) {
    std::map<std::string_view, std::size_t> waits_for;
    std::map<std::string_view, std::set<std::string_view>> followers;
    for (auto const& t : job.spec.tasks) {
        auto& count = waits_for[t.name];
        count = 0;
        if (!t.depends_on) continue;
        for (auto const& name : t.depends_on->name) {
            followers[name].insert(t.name);
            ++count;
        }
    }
    std::vector<std::string_view> free;
    for (auto const& [name, count] : waits_for)
        if (count == 0) free.push_back(name);
    std::size_t taken = 0;
    while (!free.empty()) {
        auto const name = free.back();
        free.pop_back();
        ++taken;
        for (auto const follower : followers[name])
            if (--waits_for[follower] == 0) free.push_back(follower);
    }
    return taken == job.spec.tasks.size();
}

/// What of a specification may not change is all that is left of it.
job_spec fixed_part(job_spec spec) {
    spec.min_available = 0;
    spec.priority_class_name.clear();
    for (auto& t : spec.tasks) {
        t.replicas = 0;
        t.min_available.reset();
    }
    for (auto& v : spec.volumes)
        if (v.volume_claim) v.volume_claim_name.clear(); // the operator fills it in
    return spec;
}

} // namespace

std::vector<fault> graph_faults(job const& job) {
    bool const any = std::ranges::any_of(job.spec.tasks, [](auto const& t) { return t.depends_on.has_value(); });
    if (!any || is_acyclic(job)) return {};
    return {fault("volcano.depends-on", "spec.tasks",
                  " job has dependencies between tasks, but doesn't form a directed acyclic graph(DAG);")};
}

std::optional<fault> update_fault(job next, job before, volcano_operator_options const& options) {
    for (std::size_t i = 0; i < next.spec.tasks.size(); ++i) {
        auto const& t = next.spec.tasks[i];
        std::string const path = "spec.tasks[" + std::to_string(i) + "]";
        if (t.replicas < 0)
            return fault("volcano.replicas", path + ".replicas", "'replicas' must be >= 0 in task: " + t.name);
        if (t.replicas > most_replicas)
            return fault("kftrain.replica-limit", path + ".replicas",
                         "'replicas' must be <= " + std::to_string(most_replicas) + " in task: " + t.name);
        if (t.min_available && *t.min_available < 0)
            return fault("volcano.min-available", path + ".minAvailable",
                         "'minAvailable' must be >= 0 in task: " + t.name);
        if (t.min_available && *t.min_available > t.replicas)
            return fault("volcano.min-available", path + ".minAvailable",
                         "'minAvailable' must be <= 'replicas' in task: " + t.name);
    }
    if (total_replicas(next) > most_replicas && total_replicas(next) > total_replicas(before))
        return fault("kftrain.replica-limit", "spec.tasks",
                     "'replicas' of all tasks must be <= " + std::to_string(most_replicas));
    if (auto const bytes = environment_bytes(next, options);
        bytes > most_environment_bytes && bytes > environment_bytes(before, options))
        return fault("kftrain.environment-limit", "spec.tasks",
                     "environments of pods with the names of other pods must not take more than 2048 MiB");
    if (next.spec.min_available > total_replicas(next))
        return fault("volcano.min-available", "spec.minAvailable",
                     "job 'minAvailable' must not be greater than total replicas");
    if (next.spec.min_available < 0)
        return fault("volcano.min-available", "spec.minAvailable", "job 'minAvailable' must be >= 0");
    if (next.spec.tasks.size() != before.spec.tasks.size())
        return fault("volcano.tasks", "spec.tasks", "job updates may not add or remove tasks");
    if (fixed_part(std::move(next.spec)) == fixed_part(std::move(before.spec))) return std::nullopt;
    return fault("volcano.immutable", "spec",
                 "job updates may not change fields other than `minAvailable`, `tasks[*].replicas under spec`");
}

} // namespace kftrain::volcano
