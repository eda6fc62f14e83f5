#include "job/v1/gang.hpp"

#include "base/ascii.hpp"
#include "job/contract/child_metadata.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_render.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::kubeflow_v1 {
namespace {

constexpr rules::event_messages pod_group_deleted("SuccessfulDeletePodGroup", "Deleted PodGroup: {}",
                                                  "FailedDeletePodGroup",
                                                  "Error deleting: unable to delete PodGroup: {}");

std::int32_t to_int32(std::int64_t n) noexcept {
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    return n > most ? most : static_cast<std::int32_t>(n);
}

/// The gang settings of the job, with defaults.
struct wishes {
    explicit wishes(replica_job const& job) : min_member(to_int32(job.total_replicas())) {
        if (job.constants.release == operator_release::v1_7_0) queue.clear();
        auto const& policy = job.policy.scheduling_policy;
        if (policy) {
            if (policy->min_available) min_member = *policy->min_available;
            if (!policy->queue.empty()) queue = policy->queue;
            priority_class = policy->priority_class;
            timeout = policy->schedule_timeout_seconds;
        }
        resources = policy && policy->min_resources ? *policy->min_resources : min_resources(job, min_member);
        for (auto& [name, amount] : resources) amount = quantity(amount.canonical());
    }

    std::int32_t min_member;
    std::string queue = "default";
    std::string priority_class;
    std::optional<std::int32_t> timeout;
    resource_list resources;
};

volcano::pod_group_spec volcano_spec(replica_job const& job, std::string const& queue_before) {
    wishes w(job);
    volcano::pod_group_spec spec;
    spec.min_member = w.min_member;
    bool const kept = job.constants.release == operator_release::v1_9_0 && !queue_before.empty();
    spec.queue = kept ? queue_before : w.queue;
    spec.priority_class_name = std::move(w.priority_class);
    spec.min_resources = std::move(w.resources);
    return spec;
}

coscheduling::pod_group_spec plugins_spec(replica_job const& job) {
    wishes w(job);
    coscheduling::pod_group_spec spec;
    spec.min_member = w.min_member;
    spec.min_resources = std::move(w.resources);
    spec.schedule_timeout_seconds = w.timeout;
    return spec;
}

template <class PodGroup> PodGroup new_group(replica_job const& job) {
    PodGroup group;
    group.metadata = child_metadata(job, job.metadata.name);
    group.metadata.annotations = job.metadata.annotations;
    return group;
}

/// Requests of a container; its limits where it has no requests at all. An empty map of requests is none: the server
/// fills it from the limits, too.
void add(resource_list& sum, core::resource_requirements const& r, std::int64_t times) {
    for (auto const& [name, amount] : r.requests.empty() ? r.limits : r.requests) {
        auto const [it, first] = sum.try_emplace(name, amount * times);
        if (!first) it->second += amount * times;
    }
}

object_meta const* group_of(observed const& world, replica_job const& job, gang_scheduler const& gang) {
    for (auto const& o : world.others)
        if (o.type().model == pod_group_type(gang).model && o.metadata().name == job.metadata.name)
            return &o.metadata();
    return nullptr;
}

} // namespace

gang_scheduler gang_of(training_operator_options const& options) {
    gang_scheduler gang;
    gang.name = options.gang_scheduler_name;
    if (to_lower(gang.name) == "volcano") {
        gang.kind = gang_scheduler::family::volcano;
        gang.name = "volcano";
    } else if (!gang.name.empty() && gang.name != "None") {
        gang.kind = gang_scheduler::family::scheduler_plugins;
    }
    return gang;
}

object_type const& pod_group_type(gang_scheduler const& gang) noexcept {
    return gang.kind == gang_scheduler::family::volcano ? object_type_of<volcano::pod_group>
                                                        : object_type_of<coscheduling::pod_group>;
}

resource_list min_resources(replica_job const& job, std::int32_t min_member) {
    resource_list sum;
    std::int64_t left = min_member;
    for (auto type : job.types()) {
        auto const& spec = *job.spec_of(type);
        std::int64_t const pods = std::min<std::int64_t>(left, spec.replicas.value_or(1));
        if (pods <= 0) continue;
        left -= pods;
        for (auto const& c : spec.template_.spec.containers) add(sum, c.resources, pods);
    }
    return sum;
}

any_object render_pod_group(replica_job const& job, gang_scheduler const& gang) {
    if (gang.kind == gang_scheduler::family::volcano) {
        auto group = new_group<volcano::pod_group>(job);
        group.spec = volcano_spec(job, {});
        return group;
    }
    auto group = new_group<coscheduling::pod_group>(job);
    group.spec = plugins_spec(job);
    return group;
}

void join_gang(pod& p, replica_job const& job, member const& r, gang_scheduler const& gang) {
    if (!gang) return;
    if (p.spec.scheduler_name.empty()) p.spec.scheduler_name = gang.name;
    if (gang.kind == gang_scheduler::family::volcano) {
        p.metadata.annotations["scheduling.k8s.io/group-name"] = job.metadata.name;
        p.metadata.annotations["volcano.sh/task-spec"] = to_lower(r.role);
    } else {
        p.metadata.labels["scheduling.x-k8s.io/pod-group"] = job.metadata.name;
    }
}

bool names_other_scheduler(replica_job const& job, gang_scheduler const& gang) {
    return gang && std::any_of(job.specs.begin(), job.specs.end(), [&](auto const& entry) {
               auto const& name = entry.second.template_.spec.scheduler_name;
               return !name.empty() && name != gang.name;
           });
}

gang_step sync_pod_group(replica_job const& job, observed const& world, gang_scheduler const& gang) {
    gang_step step;
    auto const& name = job.metadata.name;
    if (auto const* meta = group_of(world, job, gang); meta != nullptr && !is_controlled_by(*meta, job)) {
        step.wait = true;
        return step;
    }
    if (gang.kind == gang_scheduler::family::volcano) {
        if (auto const* found = world.find<volcano::pod_group>(name)) {
            volcano::pod_group next = *found;
            next.spec = volcano_spec(job, found->spec.queue);
            step.wait = found->status.phase.empty() || found->status.phase == "Pending";
            step.write = rules::replace(std::move(next));
            return step;
        }
        step.wait = true; // until the scheduler has looked at it
    } else if (auto const* found = world.find<coscheduling::pod_group>(name)) {
        coscheduling::pod_group next = *found;
        next.spec = plugins_spec(job);
        step.write = rules::replace(std::move(next));
        return step;
    }
    step.write = rules::create(render_pod_group(job, gang));
    return step;
}

void dissolve_gang(replica_job const& job, observed const& world, gang_scheduler const& gang,
                   rules::plan_writer& todo) {
    if (!gang) return;
    auto const* found = group_of(world, job, gang);
    if (found != nullptr && !is_controlled_by(*found, job)) return; // the job has none that could be deleted
    todo.emit("Normal", "JobTerminated", "Job has been terminated. Deleting PodGroup");
    if (found != nullptr && !found->deletion_timestamp)
        todo.remove(rules::remove(rules::target(*pod_group_type(gang).info, *found), pod_group_deleted));
    else
        todo.emit("Normal", "SuccessfulDeletePodGroup", "Deleted PodGroup: " + job.metadata.name);
}

} // namespace kftrain::kubeflow_v1
