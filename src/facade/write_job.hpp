#ifndef KFTRAIN_SRC_FACADE_WRITE_JOB_HPP
#define KFTRAIN_SRC_FACADE_WRITE_JOB_HPP

#include "facade/job_handlers.hpp"

#include <kftrain/facade/job_reference.hpp>

namespace kftrain {

// Bodies of the operations of training_client, for jobs and references that have a namespace.

void update_job(job_handler handler, kube::client client, any_job job, kube::write_options options);
void patch_job(job_handler handler, kube::client client, job_reference job, kube::patch_body patch,
               kube::write_options options);
void apply_job(job_handler handler, kube::client client, any_job job, kube::apply_options options);

} // namespace kftrain

#endif
