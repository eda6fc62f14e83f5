#ifndef KFTRAIN_SRC_APISERVER_CHECKS_JOB_POLICIES_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_JOB_POLICIES_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <string_view>
#include <vector>

// Checks the policies of a Job with its defaults, as a server does. Upstream: kubernetes
// `pkg/apis/batch/validation/validation.go`, v1.31.3.
namespace kftrain::apiserver {

/// Checks the policies for failed pods, for success and for replacement. `spec` is that of the Job.
std::vector<refusal_cause> check_job_policies(json::object const& spec);

/// As field errors print a text that is too long or a list with too many items.
refusal_cause too_many(std::size_t items, std::size_t most, std::string field);

} // namespace kftrain::apiserver

#endif
