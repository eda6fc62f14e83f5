#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_CONDITIONS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_CONDITIONS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/job_phase.hpp>
#include <kftrain/objects/batch/job.hpp>

/// Conditions of jobs, and of the Jobs that launch them.
/// @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller_status.go`
namespace kftrain::kubeflow_v2beta1 {

/// The condition of this type, or null.
job_condition const* find_condition(job_status const&, std::string_view type) noexcept;
bool is_true(job_status const&, std::string_view type) noexcept;
/// Succeeded or failed.
bool is_finished(job_status const&) noexcept;
job_phase phase_of(mpi_job const&) noexcept;

/** Sets a condition and moves it to the end of the list; true if anything changed. A condition with the same status and
    reason stays unchanged, whatever its message. Success and failure set the status of an earlier `Running` or `Failed`
    to False. */
bool set_condition(job_status&, std::string_view type, std::string_view value, std::string reason, std::string message,
                   time_point now);

/// The true condition `Complete` or `Failed` of a launcher, or null: it has not ended.
batch::job_condition const* end_of(batch::job const& launcher) noexcept;

} // namespace kftrain::kubeflow_v2beta1

#endif
