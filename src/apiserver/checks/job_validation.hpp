#ifndef KFTRAIN_SRC_APISERVER_CHECKS_JOB_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_JOB_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <vector>

namespace kftrain::apiserver {

/** What a server finds wrong in a Job: its numbers, its completion mode, its policies, its selector and, of one that is created,
    its pods.
    @param typed The same object before its defaults as batch::job, if it is created
    @param stored What the Job replaces, if it is there
    @par Upstream kubernetes `pkg/apis/batch/validation/validation.go`, v1.31.3 */
std::vector<refusal_cause> check_job(json::object const& job, void const* typed, json::object const* stored = nullptr);

/** The same of a Job that replaces a stored one: what its pods are, and how they are known and counted, stays as it is. The
    texts show values as JSON, where upstream prints those of Go. */
std::vector<refusal_cause> check_job_update(json::object const& old, json::object const& next);

} // namespace kftrain::apiserver

#endif
