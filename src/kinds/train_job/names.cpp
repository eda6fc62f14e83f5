#include "kinds/train_job/kind.hpp"

#include <kftrain/model/ownership.hpp>

namespace kftrain::trainer {

std::string snapshot_name(train_job const& job) { return job.metadata.name + "-runtime-snapshot"; }
std::string ssh_secret_name(train_job const& job) { return job.metadata.name + "-mpi-ssh-auth"; }
std::string hostfile_name(train_job const& job) { return job.metadata.name + "-mpi-hostfile"; }

std::string main_address(train_job const& job) {
    auto const& name = job.metadata.name;
    return name + "-node-0-0." + name;
}

bool is_suspended(train_job const& job) noexcept { return job.spec.suspend.value_or(false); }

bool has_own_runtime(train_job const& job) noexcept {
    return job.spec.runtime_ref.kind == training_runtime::resource.kind;
}

bool has_known_runtime(train_job const& job) noexcept {
    auto const& ref = job.spec.runtime_ref;
    return (!ref.api_group || *ref.api_group == group) &&
           (!ref.kind || *ref.kind == cluster_training_runtime::resource.kind || has_own_runtime(job));
}

void set_defaults(train_job& job) {
    auto& ref = job.spec.runtime_ref;
    if (!ref.api_group) ref.api_group = group;
    if (!ref.kind) ref.kind = cluster_training_runtime::resource.kind;
    if (!job.spec.suspend) job.spec.suspend = false;
    if (!job.spec.managed_by) job.spec.managed_by = own_manager;
}

void set_defaults(training_runtime_spec& runtime) {
    if (runtime.ml_policy && runtime.ml_policy->mpi) {
        auto& mpi = *runtime.ml_policy->mpi;
        if (!mpi.num_proc_per_node) mpi.num_proc_per_node = 1;
        if (!mpi.mpi_implementation) mpi.mpi_implementation = "OpenMPI";
        if (!mpi.ssh_auth_mount_path) mpi.ssh_auth_mount_path = "/root/.ssh";
        if (!mpi.run_launcher_as_node) mpi.run_launcher_as_node = false;
    }
    if (runtime.ml_policy && runtime.ml_policy->flux && !runtime.ml_policy->flux->num_proc_per_node)
        runtime.ml_policy->flux->num_proc_per_node = 1;
    if (runtime.pod_group_policy && runtime.pod_group_policy->coscheduling) {
        auto& gang = *runtime.pod_group_policy->coscheduling;
        if (!gang.schedule_timeout_seconds) gang.schedule_timeout_seconds = 60;
    }
    for (auto& j : runtime.template_.spec.replicated_jobs) {
        if (j.group_name.empty()) j.group_name = "default";
        if (!j.replicas) j.replicas = 1;
    }
}

rules::reference runtime_of(train_job const& job) {
    auto const& name = job.spec.runtime_ref.name;
    if (!has_known_runtime(job)) return {};
    if (has_own_runtime(job)) return {object_type_of<training_runtime>, job.metadata.namespace_, name};
    return {object_type_of<cluster_training_runtime>, "", name};
}

} // namespace kftrain::trainer
