#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_WAIT_FOR_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_WAIT_FOR_HPP

#include "cli/cluster/connection/connection.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/facade/wait_condition.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// The condition that `--for` names. @par Errors `errc::invalid_argument`
result<wait_condition> read_condition(std::string_view text);

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
