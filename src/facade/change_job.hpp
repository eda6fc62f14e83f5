#ifndef KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP
#define KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP

#include "facade/job_handlers.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/plan.hpp>

#include <functional>

namespace kftrain {

/// What has to be written about a job as the server has it.
using decide_change = std::function<result<rules::action>(any_job const&)>;

/** Reads the job, decides, writes, and completes with the job that was read or, where it was changed itself, as it is then. A job that
    somebody else changed meanwhile is read and decided about anew, a few times. */
void change_job(job_handler handler, kube::client client, job_reference job, decide_change decide,
                kube::call_options options);

} // namespace kftrain

#endif
