#include "kinds/mpi_job_v2beta1/names.hpp"

namespace kftrain::kubeflow_v2beta1 {

/// Upstream: mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/default.go`. Entries that are missing stay so.
void set_defaults(mpi_job& job) {
    auto& spec = job.spec;
    auto const fill = [](std::string& field, std::string_view value) {
        if (field.empty()) field = value;
    };
    if (!spec.run_policy.clean_pod_policy) spec.run_policy.clean_pod_policy = "None";
    if (!spec.slots_per_worker) spec.slots_per_worker = 1;
    fill(spec.ssh_auth_mount_path, root_ssh_path);
    fill(spec.mpi_implementation, open_mpi);
    fill(spec.launcher_creation_policy, at_startup);
    auto const fill_replicas = [&](std::string_view type, std::string_view restart_policy, std::int32_t count) {
        auto const entry = spec.mpi_replica_specs.find(type);
        if (entry == spec.mpi_replica_specs.end()) return;
        fill(entry->second.restart_policy, restart_policy);
        if (!entry->second.replicas) entry->second.replicas = count;
    };
    fill_replicas(launcher_type, "OnFailure", 1);
    fill_replicas(worker_type, "Never", 0);
}

} // namespace kftrain::kubeflow_v2beta1
