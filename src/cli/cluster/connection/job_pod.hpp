#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_POD_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_POD_HPP

#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/remote_command.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain::cli {

/// One replica of a job, and a container of its pod.
struct pod_choice {
    pod_choice() = default;

    std::optional<std::int32_t> rank;
    std::string role; ///< with `index`, instead of a rank
    std::int32_t index = 0;
    std::string container; ///< empty: that of default_container()
};

/// Adds --rank, --role and --index. `choice` must live as long as the command.
void add_replica_choice(CLI::App& command, pod_choice& choice);
/// Adds --container in addition.
void add_pod_choice(CLI::App& command, pod_choice& choice);

/// Adds JOB, which selects the job of find_pod(). `job` must live as long as the command.
void add_job_of_pod(CLI::App& command, std::string& job);
/// The pod and the container of a remote_command without its command. `job` is KIND/NAME. Without a choice: rank 0, or
/// the first replica of a kind without ranks.
found<remote_command> find_pod(connection&, std::string const& job, pod_choice const&);

} // namespace kftrain::cli

#endif
