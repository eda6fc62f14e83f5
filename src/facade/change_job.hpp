#ifndef KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP
#define KFTRAIN_SRC_FACADE_CHANGE_JOB_HPP

#include "facade/job_handlers.hpp"
#include "facade/shared_deadline.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/plan.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace kftrain {

/// What has to be written about a job as the server has it.
using decide_change = std::function<result<rules::action>(any_job const&)>;
/// Waits for what has to be so before a job that was read may be changed; whether that took time, so that it has to be read again.
using await_readiness = std::function<boost::asio::awaitable<bool>(any_job const&)>;

/** Reads the job, decides, writes, and hands back the job that was read or, where it was changed itself, as it is then. A job that
    somebody else changed meanwhile is read and decided about again, a few times, each after a longer rest. */
boost::asio::awaitable<any_job> change_job(kube::client client, job_reference job, decide_change decide,
                                           shared_deadline time, await_readiness ready = {});

/// Runs a change. What takes too long fails with the name of `what` in front of what it was about.
void start_change(job_handler handler, kube::client const& client, std::string what, shared_deadline const& time,
                  boost::asio::awaitable<any_job> change);

} // namespace kftrain

#endif
