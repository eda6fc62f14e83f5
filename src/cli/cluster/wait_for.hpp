#ifndef KFTRAIN_SRC_CLI_CLUSTER_WAIT_FOR_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_WAIT_FOR_HPP

#include "cli/cluster/connection.hpp"

#include <kftrain/facade/job_condition.hpp>
#include <kftrain/facade/job_reference.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// What `--for` names. @par Errors `errc::invalid_argument`
result<job_condition> read_condition(std::string_view text);

/// How a wait ended.
struct wait_outcome {
    wait_outcome() = default;

    error_code ec;
    diagnostics detail;
    any_job job;
};

/// Waits for all of the jobs side by side; `tell` hears of each as its wait ends.
void wait_for_jobs(connection&, std::vector<job_reference> const& jobs, job_condition const& condition,
                   std::function<void(job_reference const&, wait_outcome const&)> const& tell);

} // namespace kftrain::cli

#endif
