#ifndef KFTRAIN_SRC_FACADE_SUBMIT_JOB_HPP
#define KFTRAIN_SRC_FACADE_SUBMIT_JOB_HPP

#include "facade/job_handlers.hpp"

#include <kftrain/facade/submit_options.hpp>

namespace kftrain {

/// Body of training_client::async_submit(), of a job with its namespace.
void submit_job(job_handler handler, kube::client client, any_job job, submit_options options);

} // namespace kftrain

#endif
