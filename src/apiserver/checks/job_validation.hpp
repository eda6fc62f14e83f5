#ifndef KFTRAIN_SRC_APISERVER_CHECKS_JOB_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_JOB_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <vector>

namespace kftrain::apiserver {

/** Checks a Job as a server does: numbers, completion mode, policies, selector and, if the Job is created, its pods.
    @param typed The same object before its defaults as batch::job, if it is created
    @param stored The Job that is replaced, if any
    @par Upstream kubernetes `pkg/apis/batch/validation/validation.go`, v1.31.3 */
std::vector<refusal_cause> check_job(json::object const& job, void const* typed, json::object const* stored = nullptr);

/** Checks an update of a Job: its pods, and how they are selected and counted, are immutable. Messages show values as
    JSON; upstream prints those of Go. */
std::vector<refusal_cause> check_job_update(json::object const& old, json::object const& next);

} // namespace kftrain::apiserver

#endif
