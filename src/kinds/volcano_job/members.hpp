#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_MEMBERS_HPP

#include "kinds/volcano_job/names.hpp"

#include <kftrain/job/membership.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/job/scaling.hpp>

namespace kftrain::volcano {

/// The members of a valid job with defaults.
membership lay_out(job const&, volcano_operator_options const& = volcano_operator_options());

rules::scaling scaling_of(job const&);
/// The write that scales a task to this number of pods, with the numbers that depend on it.
result<rules::job_write> scaled(job const&, std::string_view task, std::int32_t members,
                                volcano_operator_options const& = volcano_operator_options());

rules::suspending suspending_of(job const&);
/// A command that aborts the job, or resumes it.
result<rules::job_write> suspended(job const&, bool on);

} // namespace kftrain::volcano

#endif
