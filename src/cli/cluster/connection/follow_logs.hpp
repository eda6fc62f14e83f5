#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOLLOW_LOGS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOLLOW_LOGS_HPP

#include "cli/cluster/connection/connection.hpp"

namespace kftrain::cli {

/** Prints the output of a job, each line after its rank, as `run` does. Ends with the job, on Ctrl-C, or when the
    reader closes the output. Prints failures and returns the exit code. */
int follow_logs(connection&, job_reference const& job, job_log_options options);

} // namespace kftrain::cli

#endif
