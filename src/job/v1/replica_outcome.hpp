#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP

#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/** Rows of the tables by which several kinds set their conditions.
    @par Upstream training-operator v1.9.0, `UpdateJobStatus` in
    `pkg/controller.v1/{pytorch,jax,paddlepaddle,xgboost}/`, and v1.7.0 `pkg/controller.v1/mxnet/` */

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
