#ifndef KFTRAIN_SRC_JOB_LINT_LINT_REPLICAS_HPP
#define KFTRAIN_SRC_JOB_LINT_LINT_REPLICAS_HPP

#include "job/v1/gang.hpp"
#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/// Appends what replica_lint_rules() find. Looks at the job as written and at the same job with defaults.
void lint_replicas(replica_job const& written, replica_job const& complete, gang_scheduler const&, issues&);

} // namespace kftrain::kubeflow_v1

#endif
