#include "kinds/mpi_job_v2beta1/render/gang.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// The first that is named: by the policy, the launcher, the workers.
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
    group.metadata.name = job.metadata.name;
    group.metadata.namespace_ = job.metadata.namespace_;
    group.metadata.owner_references.push_back(controller_reference(job));
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

} // namespace kftrain::kubeflow_v2beta1
