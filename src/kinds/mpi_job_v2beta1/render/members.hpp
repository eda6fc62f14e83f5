#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_MEMBERS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/membership.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/job/scaling.hpp>

/// The members of a job, and its scaling; for valid jobs with defaults.
namespace kftrain::kubeflow_v2beta1 {

/// The launcher, then the workers by index. The names of the launcher's pods are unknown; it has a rank if it is a
/// host. A rank is that of a host, in the order of the hostfile.
membership lay_out(mpi_job const&, mpi_operator_options const&);

/// Workers, while the job is not finished: the launcher is not started again, those of the highest indices go first.
rules::scaling scaling_of(mpi_job const&);
/// Scales by a merge patch, as the next function does; both for stored jobs. @par Errors `errc::invalid_argument`, see
/// rules::job_rules
result<rules::job_write> scaled(mpi_job const&, std::string_view type, std::int32_t workers);
rules::suspending suspending_of(mpi_job const&);
result<rules::job_write> suspended(mpi_job const&, bool on);

} // namespace kftrain::kubeflow_v2beta1

#endif
