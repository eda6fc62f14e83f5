#include <kftrain/kinds/mpi_job_v2beta1_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"

namespace kftrain::kubeflow_v2beta1 {
namespace {

constexpr std::string_view main_container = "mpi";

kubeflow_v2beta1::run_policy policy_of(kubeflow_v1::run_policy const& chosen) {
    kubeflow_v2beta1::run_policy policy;
    policy.clean_pod_policy = chosen.clean_pod_policy;
    policy.ttl_seconds_after_finished = chosen.ttl_seconds_after_finished;
    policy.active_deadline_seconds = chosen.active_deadline_seconds;
    policy.backoff_limit = chosen.backoff_limit;
    policy.suspend = chosen.suspend;
    policy.managed_by = chosen.managed_by;
    if (!chosen.scheduling_policy) return policy;
    auto& gang = policy.scheduling_policy.emplace();
    gang.min_available = chosen.scheduling_policy->min_available;
    gang.queue = chosen.scheduling_policy->queue;
    gang.min_resources = chosen.scheduling_policy->min_resources;
    gang.priority_class = chosen.scheduling_policy->priority_class;
    gang.schedule_timeout_seconds = chosen.scheduling_policy->schedule_timeout_seconds;
    return policy;
}

void add_replicas(mpi_job& job, std::string_view type, pod_choices const& common, replica_choices const& chosen) {
    auto made = kftrain::detail::make_replicas(main_container, common, chosen);
    auto& spec = job.spec.mpi_replica_specs[std::string(type)];
    spec.replicas = made.replicas;
    spec.restart_policy = std::move(made.restart_policy);
    spec.template_ = std::move(made.template_);
}

std::vector<kftrain::detail::built_pod> pods_of(mpi_job const& job) {
    std::vector<kftrain::detail::built_pod> pods;
    for (auto const& [type, spec] : job.spec.mpi_replica_specs)
        pods.push_back({&spec.template_.spec, path_of(type) + ".template.spec"});
    return pods;
}

} // namespace

std::string_view detail::to_wire(mpi_implementation which) noexcept {
    switch (which) {
    case mpi_implementation::open_mpi: return open_mpi;
    case mpi_implementation::intel: return intel_mpi;
    case mpi_implementation::mpich: return mpich;
    }
    return "";
}

result<mpi_job> mpi_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    mpi_job made;
    made.metadata = chosen.metadata;
    made.spec.run_policy = policy_of(chosen.policy);
    made.spec.slots_per_worker = slots;
    if (launcher_works) made.spec.run_launcher_as_worker = true;
    if (waits_for_workers) made.spec.launcher_creation_policy = wait_for_workers;
    made.spec.ssh_auth_mount_path = ssh_path;
    made.spec.mpi_implementation = implementation;
    add_replicas(made, launcher_type, launcher_works ? pod : kftrain::detail::without_devices(pod),
                 replica_choices(launcher));
    if (workers) add_replicas(made, worker_type, kftrain::detail::without_command(pod), *workers);

    issues found = chosen.problems;
    found.insert(found.end(), problems.begin(), problems.end());
    return kftrain::detail::checked(std::move(made), std::move(found), pods_of);
}

} // namespace kftrain::kubeflow_v2beta1
