#ifndef KFTRAIN_SRC_CLI_CLUSTER_ABSENT_JOB_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_ABSENT_JOB_HPP

#include "cli/cluster/connection.hpp"

#include <kftrain/facade/job_reference.hpp>

namespace kftrain::cli {

/// As tell_failure() about this job. If there is none, it looks for jobs of the name of other kinds and versions, and tells them.
int tell_job_failure(connection&, failure const& f, job_reference const& job);

} // namespace kftrain::cli

#endif
