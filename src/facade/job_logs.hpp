#ifndef KFTRAIN_SRC_FACADE_JOB_LOGS_HPP
#define KFTRAIN_SRC_FACADE_JOB_LOGS_HPP

#include <kftrain/training_client.hpp>

namespace kftrain {

/// Body of training_client::async_logs().
void follow_job_logs(kube::any_handler<void(error_code)> handler, training_client client, any_job job,
                     std::function<void(log_line const&)> sink, job_log_options options);

} // namespace kftrain

#endif
