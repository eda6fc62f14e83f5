#ifndef KFTRAIN_SRC_FACADE_JOB_LOG_STREAM_HPP
#define KFTRAIN_SRC_FACADE_JOB_LOG_STREAM_HPP

#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/transport.hpp>

#include <functional>
#include <memory>

namespace kftrain {

namespace detail {
struct job_board;
}

/// Body of training_client::open_logs(), of a reference with its namespace.
job_log_stream open_job_logs(std::shared_ptr<detail::job_board> board, job_reference job, job_log_options options);

/// Body of training_client::async_logs().
void push_job_logs(kube::any_handler<void(error_code)> handler, std::shared_ptr<detail::job_board> board,
                   job_reference job, std::function<void(log_line const&)> sink, job_log_options options);

} // namespace kftrain

#endif
