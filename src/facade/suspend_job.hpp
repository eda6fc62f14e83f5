#ifndef KFTRAIN_SRC_FACADE_SUSPEND_JOB_HPP
#define KFTRAIN_SRC_FACADE_SUSPEND_JOB_HPP

#include "facade/job_handlers.hpp"

#include <kftrain/facade/job_reference.hpp>

namespace kftrain {

/// Body of training_client::async_suspend() and, unless `on`, async_resume(), of a reference with its namespace.
void suspend_job(job_handler handler, kube::client client, job_reference job, bool on, kube::call_options options);

} // namespace kftrain

#endif
