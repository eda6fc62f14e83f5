#ifndef KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_BACKOFF_HPP
#define KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_BACKOFF_HPP

#include "controllers/batch_job/job_pods.hpp"

namespace kftrain::controllers::batch_jobs {

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
