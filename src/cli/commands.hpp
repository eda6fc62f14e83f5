#ifndef KFTRAIN_SRC_CLI_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_COMMANDS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/local/isolation.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// Exit codes of the command.
enum exit_code : int {
    success = 0,
    job_failed = 1,     ///< the job ended with the condition Failed
    bad_usage = 2,      ///< arguments, a file or a job that cannot be used
    cluster_failed = 3, ///< the local cluster could not start or broke; another could not be reached or refused
    timed_out = 4,      ///< what was waited for did not come in time
    interrupted = 130,  ///< SIGINT
    unread = 141,       ///< nobody reads the standard output any more, as after SIGPIPE
};

struct run_options {
    std::string file; ///< `-` for the standard input, here and below
    local::isolation mode = local::isolation::automatic;
    std::filesystem::path directory;
    bool verbose = false;
    bool colour = true; ///< on a terminal
};

struct render_options {
    std::string file;
    std::string format = "yaml";
    operator_options told;
};

struct local_options {
    std::filesystem::path state_directory; ///< where kubeconfig, log and process id are kept
    std::uint16_t port = 0;
    local::isolation mode = local::isolation::automatic;
    bool foreground = false;
    unsigned patience = 15; ///< seconds after which a server that is asked to end is killed
};

struct lint_options {
    lint_options() = default;

    std::vector<std::string> files;
    std::string format = "text";
    operator_options told;
    bool strict = false;
    bool rules = false;
};

struct diff_options {
    diff_options() = default;

    std::string before;
    std::string after; ///< empty with `defaults`
    bool defaults = false;
    std::string format = "text";
};

struct fmt_options {
    fmt_options() = default;

    std::vector<std::string> files;
    std::string format; ///< empty: as the file is
    bool check = false;
    bool write = false;
};

struct convert_options {
    convert_options() = default;

    std::string file;
    std::string to;     ///< `MPIJob`, `MPIJob.v2beta1`
    std::string report; ///< file for the list of what is lost; empty: none
};

struct ranks_options {
    ranks_options() = default;

    std::string file;
    std::optional<std::string> pod;
    std::optional<std::string> host;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> process;
    bool environment = false;
    std::string format = "text";
    operator_options told;
};

int run(run_options const&);
int render(render_options const&);
int lint(lint_options const&);
int diff_manifests(diff_options const&);
int fmt(fmt_options const&);
int convert_manifests(convert_options const&);
int ranks(ranks_options const&);
int local_up(local_options const&);
int local_down(local_options const&);
int local_status(local_options const&);

/** Reads and checks all jobs of a file, `-` for the standard input; prints what is wrong with them to the standard error. Objects
    that are no jobs are refused, and so are fields that the kind does not have, or has twice. The jobs keep to the rules of
    operators that were told this. */
std::optional<std::vector<any_job>> read_jobs(std::string const& file, operator_options const& told = {});
/// The same of a file with one job.
std::optional<any_job> read_job(std::string const& file, operator_options const& told = {});
/// The same without a look at the rules, and with the namespaces that are written.
std::optional<std::vector<any_job>> read_written_jobs(std::string const& file);
/// Whether a job of that file keeps to the rules of its kind, in the namespace "default" if it names none; prints what it violates.
bool is_valid(any_job& job, std::string const& file);
/// `kftrain: <text>` on the standard error, on one line.
void complain(std::string_view text);
/// The same for a failure; returns the exit code that it means.
int complain_about(failure const& f);
/// With control characters, and those that turn the direction of the text, as in JSON: what a manifest holds must neither begin lines of its own nor steer the terminal.
std::string on_one_line(std::string_view text);

} // namespace kftrain::cli

#endif
