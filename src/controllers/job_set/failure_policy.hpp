#ifndef KFTRAIN_SRC_CONTROLLERS_JOB_SET_FAILURE_POLICY_HPP
#define KFTRAIN_SRC_CONTROLLERS_JOB_SET_FAILURE_POLICY_HPP

#include <kftrain/objects/jobset/job_set.hpp>

#include <string>
#include <vector>

namespace kftrain::controllers::job_sets {

using job_list = std::vector<batch::job const*>;

/// The condition that ended a Job, or null.
batch::job_condition const* end_of(batch::job const&) noexcept;

/// The effect of failed Jobs on their set.
struct failure_response {
    failure_response() = default;

    bool restarts = false; ///< otherwise the set fails
    bool counted = false;  ///< towards the restarts that the policy allows
    std::string reason;    ///< of the condition
    std::string event;     ///< reason of the event of a restart
    std::string message;   ///< of the condition and the event
};

/** Returns the response that the policy of a set requires. Single Jobs are not restarted: `RestartJob` restarts the
    set, and so does `RestartJobAndIgnoreMaxRestarts`, without a limit.
    @param failed The failed Jobs; at least one
    @par Upstream kubernetes-sigs/jobset v0.12.0 `pkg/controllers/failure_policy.go` */
failure_response respond_to_failure(jobset::job_set const&, job_list const& failed);

} // namespace kftrain::controllers::job_sets

#endif
