#ifndef KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP
#define KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/api.hpp>

#include <string>

namespace kftrain {

using job_handler = kube::any_handler<void(error_code, any_job)>;

/// Decodes the body of an answer into a job of `kind`.
kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail);

/// The message of `errc::deleted` if a reference with a uid names a former job.
inline std::string was_replaced(std::string const& job) { return job + " was deleted, and another job has its name"; }

} // namespace kftrain

#endif
