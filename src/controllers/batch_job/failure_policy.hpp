#ifndef KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_FAILURE_POLICY_HPP
#define KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_FAILURE_POLICY_HPP

#include "controllers/batch_job/indexes.hpp"
#include "controllers/batch_job/job_pods.hpp"

#include <string>

namespace kftrain::controllers::batch_jobs {

/// The action of a Job's policy for a failed pod.
struct failure_verdict {
    failure_verdict() = default;

    std::string fails_job; ///< why; empty: it does not
    bool counts = true;    ///< towards the limits of failures
    bool fails_index = false;
};

/// @par Upstream kubernetes `pkg/controller/job/pod_failure_policy.go`, v1.31
failure_verdict judge_failed_pod(batch::job const&, pod const&);

/// Whether the failure of this pod is the last one that its index may have.
bool fails_its_index(batch::job const&, pod const&);

/** The result of the success policy: the message of the condition if one of its rules matches.
    @par Upstream kubernetes `pkg/controller/job/success_policy.go`, v1.31 */
std::optional<std::string> success_by_policy(batch::job const&, index_set const& succeeded);

/** Failures since the last success. They delay new pods: by 10 s after one failure, twice as long after each further
    one, at most 6 minutes. As upstream, a restarted controller remembers none.
    @par Upstream kubernetes `pkg/controller/job/backoff_utils.go`, v1.31 */
class failure_record final : public rules::memory {
public:
    failure_record() = default;
    /// The record after these pods have finished.
    failure_record(failure_record const& before, pod_list const& succeeded, pod_list const& failed);

    /// From when on pods may be made.
    time_point ready_at() const noexcept { return ready_after(failures_, last_); }
    static time_point ready_after(std::int32_t failures, time_point last) noexcept;

    friend bool operator==(failure_record const& a, failure_record const& b) noexcept {
        return a.failures_ == b.failures_ && a.last_ == b.last_;
    }

private:
    std::int32_t failures_ = 0;
    time_point last_{};
};

} // namespace kftrain::controllers::batch_jobs

#endif
