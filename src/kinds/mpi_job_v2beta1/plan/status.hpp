#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_STATUS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_STATUS_HPP

#include "kinds/mpi_job_v2beta1/plan/conditions.hpp"

#include <kftrain/job/plan.hpp>

#include <memory>
#include <vector>

/** Computes the status of a job.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller{,_status}.go` */
namespace kftrain::kubeflow_v2beta1 {

/// The input of the status.
struct observed_pods {
    observed_pods() = default;

    batch::job const* launcher = nullptr; ///< null: there is none, or it is to be created in this pass
    bool launcher_exists = false;         ///< also when it is to be created
    std::vector<std::shared_ptr<core::pod const>> launcher_pods; ///< controlled by it
    std::vector<core::pod const*>
        workers; ///< null for those that are created in this pass; empty if they do not matter
};

/** Returns the new status; `job` is the job with defaults and the status so far.
    Appends the events that the operator emits. */
job_status judge(mpi_job const& job, observed_pods const&, time_point now, mpi_operator_options const&,
                 std::vector<rules::emit_event>& events);

} // namespace kftrain::kubeflow_v2beta1

#endif
