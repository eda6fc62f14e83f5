#include "kinds/mpi_job_v1/kind.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

void fill(replica_spec_map& specs, std::string_view type, std::int32_t count) {
    auto const entry = specs.find(type);
    if (entry == specs.end()) return;
    auto& spec = entry->second;
    if (!spec.replicas) spec.replicas = count;
    if (spec.restart_policy.empty()) spec.restart_policy = mpi_kind::constants.default_restart_policy;
}

} // namespace

/** Differs from the family: types keep their spelling, and no port is added. If there are two policies for cleaning up,
    that of the run policy applies. Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_defaults.go`,
    `pkg/controller.v1/mpi/mpijob_controller.go`. */
void mpi_kind::set_defaults(mpi_job& job) {
    auto& spec = job.spec;
    auto& policy = spec.run_policy.clean_pod_policy;
    if (!policy) policy = spec.clean_pod_policy.value_or("None");
    if (!spec.clean_pod_policy) spec.clean_pod_policy = policy;
    fill(spec.mpi_replica_specs, mpi::launcher, 1);
    fill(spec.mpi_replica_specs, mpi::worker, 0);
}

} // namespace kftrain::kubeflow_v1
