#ifndef KFTRAIN_SRC_CLI_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_COMMANDS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>

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
