#ifndef KFTRAIN_SRC_FACADE_READ_JOBS_HPP
#define KFTRAIN_SRC_FACADE_READ_JOBS_HPP

#include "facade/job_handlers.hpp"

#include <kftrain/facade/submit_options.hpp>

#include <boost/asio/awaitable.hpp>

namespace kftrain {

/// Body of training_client::async_get(), of a reference with its namespace.
void read_job(job_handler handler, kube::client client, job_reference job, kube::call_options options);

/// The same within a coroutine.
boost::asio::awaitable<any_job> await_job(kube::client client, job_reference job, kube::call_options options);

/// Body of training_client::async_list(); `options` name a namespace unless they mean all.
void list_jobs(kube::any_handler<void(error_code, job_page)> handler, kube::client client, job_list_options options);

} // namespace kftrain

#endif
