#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_ABSENT_JOB_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_ABSENT_JOB_HPP

#include "cli/cluster/connection/connection.hpp"

#include <kftrain/facade/job_reference.hpp>

namespace kftrain::cli {

/// Prints the failure like report_failure(). If the job does not exist, also prints jobs of other kinds with the same
/// name.
int report_job_failure(connection&, failure const& f, job_reference const& job);

} // namespace kftrain::cli

#endif
