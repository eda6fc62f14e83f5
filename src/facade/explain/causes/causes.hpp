#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_CAUSES_CAUSES_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_CAUSES_CAUSES_HPP

#include "facade/explain/findings.hpp"

// One function for each cause: appends the cause if the evidence shows it. explain.cpp calls them in order; each can
// read the causes that were found before.
namespace kftrain::explaining {

using found_causes = std::vector<found_cause>;

// operator_causes.cpp
void find_invalid(findings const&, found_causes&);
void find_no_operator(findings const&, found_causes&);
void find_refusals(findings const&, found_causes&); ///< quota, refused, name_too_long
// container_causes.cpp
void find_out_of_memory(findings const&, found_causes&);
void find_command_not_found(findings const&, found_causes&);
void find_exited(findings const&, found_causes&);
// running_causes.cpp
void find_rendezvous(findings const&, found_causes&);
void find_stalled(findings const&, found_causes&);
void find_sidecar(findings const&, found_causes&);
void find_still_running(findings const&, found_causes&);

// restart_causes.cpp
void find_crash_loop(findings const&, found_causes&);
void find_recreated(findings const&, found_causes&); ///< a pod that ended and was created again, but not often
void find_deleted(findings const&, found_causes&);

// start_causes.cpp
void find_image_not_found(findings const&, found_causes&);
void find_config_missing(findings const&, found_causes&);
void find_starting(findings const&, found_causes&);

// placement_causes.cpp
void find_evicted(findings const&, found_causes&);
void find_unschedulable(findings const&, found_causes&);
void find_gang(findings const&, found_causes&);

// policy_causes.cpp
void find_backoff_limit(findings const&, found_causes&);
void find_deadline(findings const&, found_causes&);
void find_suspended(findings const&, found_causes&);
/// If nothing else was found: how the job failed, or that it is healthy.
void find_rest(findings const&, found_causes&);

} // namespace kftrain::explaining

#endif
