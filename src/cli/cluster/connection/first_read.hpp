#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FIRST_READ_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FIRST_READ_HPP

#include "cli/cluster/connection/connection.hpp"

#include <kftrain/facade/job_reference.hpp>

#include <optional>

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

} // namespace kftrain::cli

#endif
