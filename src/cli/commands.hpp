#ifndef KFTRAIN_SRC_CLI_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_COMMANDS_HPP

#include "kinds/job_documents.hpp"

#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// Exit codes of the command.
enum exit_code : int {
    success = 0,
    job_failed = 1,     ///< a job failed, was deleted or does not exist; a check failed
    bad_usage = 2,      ///< the arguments, a file or a job cannot be used
    cluster_failed = 3, ///< a cluster cannot be reached, refused a request or failed
    timed_out = 4,      ///< the time limit expired
    interrupted = 130,  ///< SIGINT
    unread = 141,       ///< the reader of standard output closed it, as after SIGPIPE
};

struct run_options {
    run_options() = default;

    std::vector<std::string> files; ///< `-` reads standard input, here and below
    local::isolation mode = local::isolation::automatic;
    local::pod_options pods;
    std::int32_t nodes = 0;
    resource_list node_resources;
    operator_options flags; ///< of the operators
    std::filesystem::path directory;
    std::filesystem::path timeline; ///< file for the timeline; empty: none
    bool verbose = false;
    bool colour = true; ///< use colours on a terminal
};

struct render_options {
    std::string file;
    std::vector<std::string> with; ///< files with objects to which the jobs refer, here and below
    std::string format = "yaml";
    operator_options flags; ///< of the operator
};

struct local_options {
    local_options() = default;

    std::filesystem::path state_directory; ///< of kubeconfig, log and lock file
    std::uint16_t port = 0;
    std::vector<apiserver::user_info> users; ///< further users of the kubeconfig
    local::isolation mode = local::isolation::automatic;
    local::pod_options pods;
    std::int32_t nodes = 0;
    resource_list node_resources;
    std::optional<std::chrono::milliseconds> simulate;
    std::filesystem::path data_directory; ///< keeps the objects; empty: nothing does
    operator_options flags;               ///< of the operators
    bool foreground = false;
    unsigned patience = 15; ///< seconds until a server that does not end is killed
};

struct lint_options {
    lint_options() = default;

    std::vector<std::string> files;
    std::vector<std::string> with;
    std::string format = "text";
    operator_options flags; ///< of the operator
    bool strict = false;
    bool rules = false;
    bool local = false; ///< report also what the local cluster cannot run
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
    std::string format; ///< empty: the format of the file
    bool check = false;
    bool write = false;
};

struct convert_options {
    convert_options() = default;

    std::string file;
    std::string to;     ///< `MPIJob`, `MPIJob.v2beta1`
    std::string report; ///< file for the list of losses; may be empty
};

struct ranks_options {
    ranks_options() = default;

    std::string file;
    std::vector<std::string> with;
    std::optional<std::string> pod;
    std::optional<std::string> host;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> process;
    bool environment = false;
    std::string format = "text";
    operator_options flags; ///< of the operator
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
int local_images(local_options const&);

/// The objects of a file that are not jobs.
using other_documents = std::vector<detail::other_document>;

/** Reads and validates all jobs of a file, with the rules of operators that run with these flags. Prints faults to
    standard error. Unknown and duplicate fields are faults. Objects that are not jobs are skipped with a message.
    Generated names get a placeholder. Jobs get the objects to which they refer, such as runtimes, from the file and
    from the files `with`; a missing object is a fault. */
std::optional<std::vector<prepared_job>> read_jobs(std::string const& file, operator_options const& flags = {},
                                                   std::vector<std::string> const& with = {});
/// The same for a file with one job.
std::optional<prepared_job> read_job(std::string const& file, operator_options const& flags = {},
                                     std::vector<std::string> const& with = {});
/** Reads jobs that a local cluster with these flags of its operators will run, without validation. Clears the fields
    that servers write, and generates random names. Objects that are not jobs are added to `others`; if it is null, they
    are skipped with a message, and the file must have a job. */
std::optional<std::vector<any_job>> read_jobs_to_run(std::string const& file, other_documents* others = nullptr,
                                                     operator_options const& flags = {});
/// Reads all jobs of a file without validation. Keeps namespaces and names, and clears the fields that servers write.
std::optional<std::vector<any_job>> read_written_jobs(std::string const& file);
/// Prepares a job of that file, in the namespace "default" if it has none. Prints its faults; absent if it is invalid.
std::optional<prepared_job> checked_job(any_job job, std::string const& file);
/// Checks that no role has a negative number of replicas, which some servers accept. Prints violations.
bool has_possible_replicas(any_job const& job, std::string const& file);
/// Prints `kftrain: TEXT` to standard error on one line, shortened if it is very long.
void complain(std::string_view text);
/// Prints a failure; returns its exit code.
int complain_about(failure const& f);
/** The text on one line and safe for a terminal: line breaks become `; `, tabs become spaces, control characters and
    those that change the direction of text are escaped as in JSON, invalid UTF-8 as `\xff`. */
std::string on_one_line(std::string_view text);
/// JSON with escapes in the place of the characters beyond ASCII that steer a terminal; those below are escaped in all
/// JSON.
std::string escaped_json(std::string_view json);
/// JSON as the command prints it on the standard output: escaped if that is a terminal.
std::string json_output(std::string json);
/// The beginning and the end of a very long text, with the number of omitted bytes; other texts unchanged.
std::string shortened(std::string_view text);
/** Flushes standard output and returns the exit code of the command: `code` if all was written, `unread` if the reader
    closed the output (as `head` does), otherwise `bad_usage` after a message. */
int after_output(int code);

} // namespace kftrain::cli

#endif
