#ifndef KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP
#define KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP

#include "facade/read_jobs.hpp"
#include "facade/shared_deadline.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace kftrain {

/// Returns the write that changes the stored job.
using decide_change = std::function<result<rules::job_write>(prepared_job const&)>;
/// Waits until the job may be changed. Returns whether it had to wait, so that the job must be read again.
using await_readiness = std::function<boost::asio::awaitable<bool>(prepared_job const&)>;

/** Reads the job, decides, and writes. Returns the job that was read or, if the write changed the job itself, the
    written one. On a conflict, it reads the job and decides again, a few times, with increasing delays.
    */
boost::asio::awaitable<any_job> change_job(kube::client client, job_reference job, decide_change decide,
                                           shared_deadline time, await_readiness ready = {});

/// Runs a change. After a timeout, the message begins with `what`.
void start_change(job_handler handler, kube::client const& client, std::string what, shared_deadline const& time,
                  boost::asio::awaitable<any_job> change);

} // namespace kftrain

#endif
