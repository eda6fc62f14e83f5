#ifndef KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP
#define KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/api.hpp>

namespace kftrain {

using job_handler = kube::any_handler<void(error_code, any_job)>;

/// Decodes the body of an answer into a job of `kind`.
kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail);

} // namespace kftrain

#endif
