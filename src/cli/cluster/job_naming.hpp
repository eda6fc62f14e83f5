#ifndef KFTRAIN_SRC_CLI_CLUSTER_JOB_NAMING_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_JOB_NAMING_HPP

#include "cli/cluster/connection.hpp"
#include "cli/cluster/found.hpp"

#include <kftrain/facade/job_reference.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// Which jobs a command is about, as its arguments say.
struct job_naming {
    job_naming() = default;

    std::vector<std::string> words; ///< as read_job_words() takes them
    std::string file;               ///< a manifest of the jobs instead
};

/// The option that names a manifest, in commands where `-f` means something else.
inline constexpr char const* long_file_option = "--filename";
/// Adds the arguments; they must live as long as the command.
void add_job_naming(CLI::App& command, job_naming&, std::string const& file_option = "-f,--filename");

/// The kind that a name means on this cluster: where an API has a kind in several versions, the one that the server prefers.
found<rules::job_rules const*> find_kind(connection&, std::string const& name);

/// The jobs that are meant, at least one.
found<std::vector<job_reference>> find_jobs(connection&, job_naming const&);
/// The same of exactly one.
found<job_reference> find_job(connection&, job_naming const&);

/// The jobs of a manifest, in the namespace of the command line or the context where they name none.
found<std::vector<any_job>> read_placed_jobs(connection const&, std::string const& file);

} // namespace kftrain::cli

#endif
