#ifndef KFTRAIN_JOB_JOB_PATCH_HPP
#define KFTRAIN_JOB_JOB_PATCH_HPP

/** @file The patches that the rules of a job kind return for scaling and suspension. */

#include <kftrain/job/plan.hpp>
#include <kftrain/job/scaling.hpp>

#include <initializer_list>
#include <string_view>

namespace kftrain::rules {

/** Returns a merge patch that changes one member of the spec of a job, on condition that the job has not changed
    since it was read.
    @param member the names of the fields from the spec to the member
    @param json the value of the member */
patch patch_of_job(resource_info const& type, object_meta const& job, std::initializer_list<std::string_view> member,
                   std::string_view json);

/** Returns the patch that suspends or resumes a job through this member of its spec.
    @par Errors `errc::invalid_argument` at the member if it cannot be changed. */
[[nodiscard]] result<job_write> patch_of_suspend(suspending const& now, resource_info const& type,
                                                 object_meta const& job, std::initializer_list<std::string_view> member,
                                                 bool on);

} // namespace kftrain::rules

#endif
