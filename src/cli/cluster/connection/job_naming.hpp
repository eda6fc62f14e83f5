#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_NAMING_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_JOB_NAMING_HPP

#include "cli/cluster/connection/connection.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/operator_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::cli {

/// A message was printed, and the command ends with this exit code.
struct reported {
    explicit reported(int code = bad_usage) : exit(code) {}

    int exit;
};

/// The objects that the arguments select, or the exit code after a printed message.
template <class T> class found {
public:
    found(T value) : value_(std::move(value)) {}
    found(reported why) : exit_(why.exit) {}

    explicit operator bool() const noexcept { return value_.has_value(); }
    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return &*value_; }
    T const* operator->() const noexcept { return &*value_; }
    /// The exit code, if there is no value.
    int exit() const noexcept { return exit_; }

private:
    std::optional<T> value_;
    int exit_ = success;
};

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

/// The manifest with the jobs of a command that checks them.
struct jobs_file {
    jobs_file() = default;

    std::string file;
    operator_options flags; ///< of the operators
};

/// Adds `--operator-flag`, and FILE and `-f`, one of which is required. `from` must live as long as the command.
void add_jobs_file(CLI::App& command, jobs_file& from);

/// The kind with this name. If an API has the kind in several versions, the one that the server prefers.
found<rules::job_rules const*> find_kind(connection&, std::string const& name);

/// The selected jobs, at least one.
found<std::vector<job_reference>> find_jobs(connection&, job_naming const&);
/// The selected job, if there is exactly one.
found<job_reference> find_job(connection&, job_naming const&);

/// The jobs of a manifest. Jobs without a namespace get that of the command line or of the context.
found<std::vector<any_job>> read_placed_jobs(connection const&, jobs_file const&);

/// Prints the failure like report_failure(). If the job does not exist, also prints jobs of other kinds with the same
/// name.
int report_job_failure(connection&, failure const& f, job_reference const& job);

/** Calls `change` with the connection and each of the selected jobs. It returns whether it succeeded; failures are
    printed. Returns the exit code of the command. */
template <class Options> int change_jobs(Options const& options, auto change) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const jobs = find_jobs(*c, options.which);
    if (!jobs) return jobs.exit();
    int exit = success;
    for (auto const& job : *jobs)
        if (auto const changed = change(*c, job); !changed)
            exit = graver(exit, report_job_failure(*c, changed.error(), job));
    return exit;
}

/** Calls `check` with the connection and each job of the manifest, and prints its results, which are named `what`.
    Returns the exit code of the command if all jobs pass. */
template <class Options> int check_jobs(Options const& options, std::string const& what, auto check) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const jobs = read_placed_jobs(*c, options.from);
    if (!jobs) return jobs.exit();
    int exit = success;
    for (auto const& job : *jobs) {
        job_reference const reference(job);
        auto const checked = check(*c, job);
        if (!checked)
            exit = graver(exit, report_failure(checked.error(), reference.to_string()));
        else if (options.format != "text")
            print_answer_about(reference, what, checked->to_json(), options.format);
        else
            print_lines((jobs->size() > 1 ? reference.to_string() + "\n" : "") + checked->to_string());
    }
    return exit;
}

} // namespace kftrain::cli

#endif
