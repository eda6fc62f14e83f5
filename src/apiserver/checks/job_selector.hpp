#ifndef KFTRAIN_SRC_APISERVER_CHECKS_JOB_SELECTOR_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_JOB_SELECTOR_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <vector>

// Checks the selector of a Job with its defaults, and the labels of its pods, as a server does. Upstream: kubernetes
// `pkg/apis/batch/validation/validation.go`, v1.31.3.
namespace kftrain::apiserver {

/** Unless the selector is made by hand: that it and the labels are those that the server makes.
    @param stored What the Job replaces, if it is there: labels that it lacks are not demanded */
void check_generated_selector(json::object const& job, json::object const& spec, json::object const* stored,
                              std::vector<refusal_cause>& found);

/// Checks that the selector exists, is well formed, and selects the pods of the template.
void check_selector(json::object const& spec, std::vector<refusal_cause>& found);

} // namespace kftrain::apiserver

#endif
