#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOLLOWING_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOLLOWING_HPP

#include "cli/cluster/connection/connection.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/facade/wait_condition.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace kftrain::cli {

// Operations that follow a cluster retry silently and without a time limit. Commands therefore read once before they
// follow, so that an unreachable cluster or a failed TLS handshake ends the command. Answers of the server, refusals as
// well, are left to the operation that follows.

/// Reads a job. Prints a message and returns the exit code if the server did not answer.
std::optional<int> fails_to_read(connection&, job_reference const& job);
/// The same for a job that must exist. Sets the uid, so that a later job with the same name is not followed.
std::optional<int> fails_to_find(connection&, job_reference& job);
/// The same for a list. Also prints a message for each requested kind that the cluster does not serve.
std::optional<int> fails_to_list(connection&, job_watch_options const& which);

/** Prints the output of a job, each line after its rank, as `run` does. Ends with the job, on Ctrl-C, or when the
    reader closes the output. Prints failures and returns the exit code. */
int follow_logs(connection&, job_reference const& job, job_log_options options);

/// The outcome of one wait.
struct wait_outcome {
    wait_outcome() = default;

    error_code ec;
    diagnostics detail;
    any_job job;
};

/// Waits for all jobs concurrently and calls `report` as each wait ends.
void wait_for_jobs(connection&, std::vector<job_reference> const& jobs, wait_condition const& condition,
                   std::function<void(job_reference const&, wait_outcome const&)> const& report);

} // namespace kftrain::cli

#endif
