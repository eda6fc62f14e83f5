#ifndef KFTRAIN_JOB_JOB_POLICIES_HPP
#define KFTRAIN_JOB_JOB_POLICIES_HPP

/** @file The policies that a job of any kind sets for its operator and the gang scheduler. */

#include <kftrain/model/boxed.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::rules {

/// The gang settings of a job: how a gang scheduler places its pods.
struct gang_settings {
    gang_settings() = default;

    std::string queue;                         ///< empty: the default queue of the scheduler
    std::string priority_class;                ///< of the gang; may be empty
    std::optional<std::int32_t> min_available; ///< number of members that start together; absent: all
    std::string path;                          ///< of the settings in the job, e.g. `spec.runPolicy.schedulingPolicy`
    bool needs_queue = false;                  ///< admission rejects the job if its queue does not exist or is closed
};

/// How often a job was restarted, and how often it may be.
struct restart_count {
    restart_count() = default;

    std::int64_t done = 0;
    std::int64_t limit = 0;
};

/// An event after which the operator takes an action, because a policy of the job requests it.
struct action_trigger {
    action_trigger() = default;
    action_trigger(std::string a, std::string e) : action(std::move(a)), event(std::move(e)) {}

    std::string action; ///< e.g. `RestartJob`
    std::string event;  ///< e.g. `PodFailed` or `exit code 3`

    friend bool operator==(action_trigger const&, action_trigger const&) = default;
};

/// The policies that a job sets for its operator. A member is absent if the API of the kind does not have the field.
struct job_policies {
    job_policies() = default;

    std::optional<std::string> manager;  ///< `managedBy`: the controller that runs the job; empty: the default one
    std::optional<std::string> clean_up; ///< `cleanPodPolicy`: the pods that are deleted at the end; may be empty
    bool has_backoff_limit = false;      ///< the kind has `backoffLimit`
    boxed<restart_count> restarts;       ///< of kinds that restart whole jobs
    /// Roles whose failed pods are replaced without limit, because `backoffLimit` does not count them.
    std::vector<std::string> unlimited_roles;
    std::vector<action_trigger> triggers; ///< each once, in the order of the policies
};

} // namespace kftrain::rules

#endif
