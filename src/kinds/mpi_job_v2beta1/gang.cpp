#include "job/contract/child_metadata.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// The first name of these: that of the policy, the launcher, the workers.
std::string priority_class_of(mpi_job const& job) {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    if (policy && !policy->priority_class.empty()) return policy->priority_class;
    for (auto type : {launcher_type, worker_type})
        if (auto const* const spec = spec_of(job, type); spec && !spec->template_.spec.priority_class_name.empty())
            return spec->template_.spec.priority_class_name;
    return {};
}

std::string queue_of(mpi_job const& job) {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    if (policy && !policy->queue.empty()) return policy->queue;
    auto const named = job.metadata.annotations.find("scheduling.volcano.sh/queue-name");
    return named == job.metadata.annotations.end() ? std::string() : named->second;
}

volcano::pod_group_spec volcano_spec(mpi_job const& job, priority_map const& priorities) {
    volcano::pod_group_spec spec;
    spec.min_member = min_member(job);
    spec.queue = queue_of(job);
    spec.priority_class_name = priority_class_of(job);
    spec.min_resources = min_resources(job, priorities);
    return spec;
}

coscheduling::pod_group_spec coscheduling_spec(mpi_job const& job, priority_map const& priorities) {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    coscheduling::pod_group_spec spec;
    spec.min_member = min_member(job);
    spec.min_resources = min_resources(job, priorities).value_or(resource_list());
    spec.schedule_timeout_seconds = policy ? policy->schedule_timeout_seconds.value_or(0) : 0;
    return spec;
}

template <class Group, class Spec> any_object new_group(mpi_job const& job, Spec spec) {
    Group group;
    group.metadata = kftrain::child_metadata(job, job.metadata.name);
    group.spec = std::move(spec);
    return group;
}

template <class Group, class Spec> any_object changed_group(any_object const& stored, Spec spec) {
    auto const* const found = stored.get_if<Group>();
    if (found == nullptr || found->spec == spec) return {};
    Group next = *found;
    next.spec = std::move(spec);
    return next;
}

/// A replica type, and the number of its pods that count.
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

/// The request of each resource, or its limit if there is no request.
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

bool has_gang(mpi_operator_options const& options) noexcept { return !options.gang_scheduling.empty(); }
bool is_volcano(mpi_operator_options const& options) noexcept { return options.gang_scheduling == "volcano"; }

object_type const& pod_group_type(mpi_operator_options const& options) noexcept {
    return is_volcano(options) ? object_type_of<volcano::pod_group> : object_type_of<coscheduling::pod_group>;
}

any_object render_pod_group(mpi_job const& job, priority_map const& priorities, mpi_operator_options const& options) {
    return is_volcano(options) ? new_group<volcano::pod_group>(job, volcano_spec(job, priorities))
                               : new_group<coscheduling::pod_group>(job, coscheduling_spec(job, priorities));
}

any_object changed_pod_group(any_object const& stored, mpi_job const& job, priority_map const& priorities,
                             mpi_operator_options const& options) {
    return is_volcano(options) ? changed_group<volcano::pod_group>(stored, volcano_spec(job, priorities))
                               : changed_group<coscheduling::pod_group>(stored, coscheduling_spec(job, priorities));
}

void join_gang(core::pod_template_spec& pod, mpi_job const& job, mpi_operator_options const& options) {
    if (!has_gang(options)) return;
    pod.spec.scheduler_name = options.gang_scheduling;
    if (is_volcano(options))
        pod.metadata.annotations["scheduling.k8s.io/group-name"] = job.metadata.name;
    else
        pod.metadata.labels["scheduling.x-k8s.io/pod-group"] = job.metadata.name;
}

std::int32_t min_member(mpi_job const& job) noexcept {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    if (policy && policy->min_available) return *policy->min_available;
    // A job that was not validated may have any 32-bit number.
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
