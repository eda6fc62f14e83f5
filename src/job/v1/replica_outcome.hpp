#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP

#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/** Why the job has to fail now, as the end of the sentence `Job x has failed because it ...`; empty if it has not.
    `status` is the status under change: resuming a job restarts its time.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/job.go`, `PastBackoffLimit`, `PastActiveDeadline`
    */
std::string_view exceeded_limit(replica_job const&, observed const&, job_status const& status, time_point now);

/// Whether a failed replica is started again, unless its exit code says otherwise.
bool restarts(replica_spec const&) noexcept;

/// The time of the active deadline; absent without deadline or start time.
std::optional<time_point> deadline_of(replica_job const&, job_status const&) noexcept;

/// The end of a finished job: its completion time or, if that is missing, the last change of the final condition.
time_point finished_at(job_status const&) noexcept;

/// Exit code of the terminated container of this name; absent while it runs, or if none was recorded.
std::optional<std::int32_t> exit_code_of(pod const&, std::string_view container) noexcept;

// Rows of the tables by which several kinds set their conditions. Upstream: training-operator v1.9.0, `UpdateJobStatus`
// in `pkg/controller.v1/{pytorch,jax,paddlepaddle,xgboost}/`, and v1.7.0 `pkg/controller.v1/mxnet/`.

/// `<Kind> <who><tail>`
std::string sentence(status_editor const&, std::string_view who, std::string_view tail);

/// For a type that decides alone: running if any replica runs, succeeded when `done`. True: no other type matters.
bool judge_leader(status_editor&, replica_status const& counts, bool done);

/// For a type that the whole job depends on: succeeded when `done`, else running if any replica runs.
void judge_whole(status_editor&, replica_status const& counts, bool done);

/// For any type: failed replicas that were not replaced restart the job, or fail it if they never restart.
void judge_failures(status_editor&, std::string_view type, replica_spec const&, replica_status const& counts);

/// For kinds that only restart by ExitCode: under other policies any failed replica fails the job. `subject` begins the
/// message, as in `XGBoostJob xgb`.
void judge_any_failure(status_editor&, std::string_view subject, std::string_view type, replica_spec const&,
                       replica_status const& counts);

} // namespace kftrain::kubeflow_v1

#endif
