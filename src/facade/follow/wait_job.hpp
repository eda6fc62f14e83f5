#ifndef KFTRAIN_SRC_FACADE_WAIT_JOB_HPP
#define KFTRAIN_SRC_FACADE_WAIT_JOB_HPP

#include "facade/follow/job_board.hpp"
#include "facade/job_handlers.hpp"

#include <kftrain/facade/wait_condition.hpp>
#include <kftrain/kube/wait.hpp>

namespace kftrain {

/// Body of training_client::async_wait(), of a job with its namespace.
void wait_job(job_handler handler, std::shared_ptr<detail::job_board> board, job_reference job,
              wait_condition condition, kube::wait_options options);

} // namespace kftrain

#endif
