#ifndef KFTRAIN_SRC_CLI_CLUSTER_FIRST_READ_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_FIRST_READ_HPP

#include "cli/cluster/connection.hpp"

#include <kftrain/facade/job_reference.hpp>

#include <optional>

namespace kftrain::cli {

// What follows a cluster repairs all faults of its connection in silence, for as long as it takes. So one read comes first: a cluster
// that cannot be reached, or that does not prove who it is, ends the command before it begins. What the server itself answers,
// a refusal as well, is left to what follows.

/// Reads a job that is to be followed. The exit code after a complaint; nothing if the server answered.
std::optional<int> fails_to_read(connection&, job_reference const& job);
/// The same of one that has to be there. From then on it is meant alone, and none that takes its name.
std::optional<int> fails_to_find(connection&, job_reference& job);
/// The same of a list of the jobs that are to be watched; complains, too, of each kind asked for that is not served.
std::optional<int> fails_to_list(connection&, job_watch_options const& which);

} // namespace kftrain::cli

#endif
