#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_OUTCOME_HPP

#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/** Rows of the tables by which several kinds judge their jobs.
    @par Upstream training-operator v1.9.0, `UpdateJobStatus` in `pkg/controller.v1/{pytorch,jax,paddlepaddle}/` */

/// `<Kind> <who><tail>`
std::string sentence(status_editor const&, std::string_view who, std::string_view tail);

/// Of a type on which the whole job depends: succeeded when `done`, else running if any replica runs.
void judge_whole(status_editor&, replica_status const& counts, bool done);

/// Of any type: replicas that failed and were not replaced restart the job, or fail it where they never restart.
void judge_failures(status_editor&, std::string_view type, replica_spec const&, replica_status const& counts);

} // namespace kftrain::kubeflow_v1

#endif
