#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_STATUS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_STATUS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <memory>
#include <vector>

namespace kftrain::kubeflow_v2beta1 {

// Conditions of jobs, and of the Jobs that launch them.

/// The condition of this type, or null.
job_condition const* find_condition(job_status const&, std::string_view type) noexcept;
bool is_true(job_status const&, std::string_view type) noexcept;
/// Succeeded or failed.
bool is_finished(job_status const&) noexcept;
job_phase phase_of(mpi_job const&) noexcept;

/** Sets a condition and moves it to the end of the list; true if anything changed. A condition with the same status and
    reason stays unchanged, whatever its message. Success and failure set the status of an earlier `Running` or `Failed`
    to False.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller_status.go` */
bool set_condition(job_status&, std::string_view type, std::string_view value, std::string reason, std::string message,
                   time_point now);

/// The true condition `Complete` or `Failed` of a launcher, or null: it has not ended.
batch::job_condition const* end_of(batch::job const& launcher) noexcept;

/// The input of judge().
struct observed_pods {
    observed_pods() = default;

    batch::job const* launcher = nullptr; ///< null: there is none, or it is to be created in this pass
    bool launcher_exists = false;         ///< also when it is to be created
    std::vector<std::shared_ptr<core::pod const>> launcher_pods; ///< controlled by it
    std::vector<core::pod const*>
        workers; ///< null for those that are created in this pass; empty if they do not matter
};

/** Returns the new status; `job` is the job with defaults and the status so far. Appends the events that the operator
    emits.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller{,_status}.go` */
job_status judge(mpi_job const& job, observed_pods const&, time_point now, mpi_operator_options const&,
                 std::vector<rules::emit_event>& events);

} // namespace kftrain::kubeflow_v2beta1

#endif
