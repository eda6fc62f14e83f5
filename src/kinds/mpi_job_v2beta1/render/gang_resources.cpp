#include "kinds/mpi_job_v2beta1/render/gang.hpp"

#include <algorithm>
#include <limits>

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// A replica type, and how many of its pods count.
struct share {
    share() = default;
    share(replica_spec const& s, priority_map const& priorities) : spec(&s), pods(s.replicas.value_or(0)) {
        auto const found = priorities.find(s.template_.spec.priority_class_name);
        if (found != priorities.end()) priority = found->second;
    }

    replica_spec const* spec = nullptr;
    std::int64_t pods = 0;
    std::int32_t priority = 0;
};

/// The request of each resource, or its limit where nothing of it is requested.
resource_list wanted_by(core::resource_requirements const& r) {
    resource_list wanted = r.requests;
    for (auto const& [name, limit] : r.limits) wanted.emplace(name, limit);
    return wanted;
}

void add(resource_list& sum, share const& s) {
    for (auto const& c : s.spec->template_.spec.containers)
        for (auto const& [name, amount] : wanted_by(c.resources)) {
            auto const [it, first] = sum.try_emplace(name, amount * s.pods);
            if (!first) it->second += amount * s.pods;
        }
}

resource_list canonical(resource_list amounts) {
    for (auto& [name, amount] : amounts) amount = quantity(amount.canonical());
    return amounts;
}

} // namespace

std::int32_t min_member(mpi_job const& job) noexcept {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    if (policy && policy->min_available) return *policy->min_available;
    // A job that was not validated may request as many as 32 bits hold.
    return std::min(worker_count(job), std::numeric_limits<std::int32_t>::max() - 1) + 1;
}

std::optional<resource_list> min_resources(mpi_job const& job, priority_map const& priorities) {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    if (policy && policy->min_resources) return canonical(*policy->min_resources);
    std::int64_t const members = min_member(job);
    if (members == 0) return std::nullopt;

    std::optional<share> launcher;
    std::optional<share> workers;
    if (auto const* const spec = spec_of(job, launcher_type)) launcher.emplace(*spec, priorities);
    if (auto const* const spec = spec_of(job, worker_type)) workers.emplace(*spec, priorities);
    std::int64_t const all = (launcher ? launcher->pods : 0) + (workers ? workers->pods : 0);
    if (all > members) {
        if (!workers) return std::nullopt;
        bool const launcher_waits = launcher && launcher->priority < workers->priority;
        (launcher_waits ? launcher : workers)->pods = members - 1;
    }
    resource_list sum;
    if (launcher) add(sum, *launcher);
    if (workers) add(sum, *workers);
    return canonical(std::move(sum));
}

} // namespace kftrain::kubeflow_v2beta1
