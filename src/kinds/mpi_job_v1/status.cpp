#include "job/v1/replica_outcome.hpp"
#include "kinds/mpi_job_v1/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `UpdateJobStatus`. The reason of a
/// failure has the name of the kind twice.
void mpi_kind::judge(status_editor& e) const {
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        if (type == mpi::launcher) {
            if (counts.active > 0) e.set("Running", sentence(e, e.job_name(), " is running."));
            if (spec.replicas.value_or(1) == counts.succeeded)
                return e.finish("Succeeded", sentence(e, e.job_name(), " is successfully completed."));
        }
        if (counts.failed == 0) continue;
        std::string const why =
            " because " + std::to_string(counts.failed) + " " + std::string(type) + " replica(s) failed.";
        if (spec.restart_policy == "ExitCode") {
            auto const message = sentence(e, e.job_name(), " is restarting" + why);
            e.raise("Warning", "Restarting", message);
            e.set("Restarting", message);
        } else {
            auto const message = sentence(e, e.job_name(), " is failed" + why);
            e.raise("Normal", "Failed", message);
            if (!e.status().completion_time) e.status().completion_time = e.now();
            e.set("Failed", "True", "MPIJobFailed", message);
        }
    }
}

} // namespace kftrain::kubeflow_v1
