#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_MEMBERS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/membership.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/job/scaling.hpp>

#include <vector>

/// Who belongs to a job, what they are told in files, and how the job grows and shrinks. Of valid jobs with defaults.
namespace kftrain::kubeflow_v2beta1 {

/// Launcher, then workers by index. Of the launcher's pods nobody knows the names; it has a rank if it works. A rank is that of a
/// host, in the order of the hostfile.
membership lay_out(mpi_job const&, mpi_operator_options const&);

struct told_file {
    told_file() = default;
    told_file(std::string p, std::string t, std::int32_t m) : path(std::move(p)), text(std::move(t)), mode(m) {}

    std::string path;
    std::string text;
    std::int32_t mode = 0; ///< permission bits

    friend bool operator==(told_file const&, told_file const&) = default;
};

/// The files without secrets that the launcher finds when these workers run; workers find none.
std::vector<told_file> files_of_launcher(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);

/// Workers, while the job is not finished: the launcher is not started again, those of the highest indices go first.
rules::scaling scaling_of(mpi_job const&);
/// By a merge patch, as the next, which is for jobs as they are stored. @par Errors `errc::invalid_argument`, see rules::job_rules
result<rules::action> scaled(mpi_job const&, std::string_view type, std::int32_t workers);
rules::suspending suspending_of(mpi_job const&);
result<rules::action> suspended(mpi_job const&, bool on);

} // namespace kftrain::kubeflow_v2beta1

#endif
