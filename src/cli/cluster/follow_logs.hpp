#ifndef KFTRAIN_SRC_CLI_CLUSTER_FOLLOW_LOGS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_FOLLOW_LOGS_HPP

#include "cli/cluster/connection.hpp"

namespace kftrain::cli {

/** Prints the output of a job, each line behind its rank, as `run` does, until it ends, Ctrl-C, or until nobody reads it. Complains about
    what went wrong; returns the exit code. */
int follow_logs(connection&, job_reference const& job, job_log_options options);

} // namespace kftrain::cli

#endif
