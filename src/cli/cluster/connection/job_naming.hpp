#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_NAMING_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_NAMING_HPP

#include "cli/cluster/connection/connection.hpp"
#include "cli/cluster/connection/found.hpp"

#include <kftrain/facade/job_reference.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// The jobs that the arguments of a command select.
struct job_naming {
    job_naming() = default;

    std::vector<std::string> names; ///< for parse_job_names()
    std::string file;               ///< or a manifest of the jobs
};

/// The option for a manifest in commands whose `-f` has another meaning.
inline constexpr char const* long_file_option = "--filename";
/// Adds the arguments that select jobs. `job_naming` must live as long as the command.
void add_job_naming(CLI::App& command, job_naming&);
/// The same for commands that take one job.
void add_single_job(CLI::App& command, job_naming&, std::string const& file_option = "-f,--filename");

/// Adds FILE and `-f`, exactly one of which is required. `file` must live as long as the command.
void add_jobs_file(CLI::App& command, std::string& file);

/// The kind with this name. If an API has the kind in several versions, the one that the server prefers.
found<rules::job_rules const*> find_kind(connection&, std::string const& name);

/// The selected jobs, at least one.
found<std::vector<job_reference>> find_jobs(connection&, job_naming const&);
/// The selected job, if there is exactly one.
found<job_reference> find_job(connection&, job_naming const&);

/// The jobs of a manifest. Jobs without a namespace get that of the command line or of the context.
found<std::vector<any_job>> read_placed_jobs(connection const&, std::string const& file);

} // namespace kftrain::cli

#endif
