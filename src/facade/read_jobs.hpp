#ifndef KFTRAIN_SRC_FACADE_READ_JOBS_HPP
#define KFTRAIN_SRC_FACADE_READ_JOBS_HPP

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>

namespace kftrain {

using job_handler = kube::any_handler<void(error_code, any_job)>;

/// Decodes a stored job of `kind`. An object without a name is a protocol error.
result<any_job> decode_job(rules::job_rules const& kind, std::string const& text);
/// Decodes the body of an answer into a job of `kind`.
kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail);

/// Returns the message of `errc::deleted` if a reference with a uid names a former job.
inline std::string was_replaced(std::string const& job) { return job + " was deleted, and another job has its name"; }

/// Body of training_client::async_get() for a reference with its namespace.
void read_job(job_handler handler, kube::client client, job_reference job, kube::call_options options);
/// The same within a coroutine.
boost::asio::awaitable<any_job> await_job(kube::client client, job_reference job, kube::call_options options);

} // namespace kftrain

#endif
