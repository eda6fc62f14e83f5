#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_OPERATOR_PASS_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_OPERATOR_PASS_HPP

#include "golden/checks/traces.hpp"
#include "golden/clusters/cluster.hpp"

#include <kftrain/job/any_job.hpp>

namespace golden {

/// Answers given to creations that the recorded server refused, by `<collection>/<name>`.
using refusals = std::map<std::string, refusal, std::less<>>;

/// Decodes a job; throws with the reason if it cannot be.
kftrain::any_job decode_job(json::object const&);

/** Plans once and carries the plan out against the cluster, as an operator's executor would: action by action, until
    one is refused. Returns the time of the next plan. */
std::optional<kftrain::time_point> operate(cluster&, refusals const&, kftrain::operator_options const&,
                                           kftrain::time_point now, traces&);

} // namespace golden

#endif
