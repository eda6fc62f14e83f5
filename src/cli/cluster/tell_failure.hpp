#ifndef KFTRAIN_SRC_CLI_CLUSTER_TELL_FAILURE_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_TELL_FAILURE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>

namespace kftrain::cli {

/// The exit code of a command that failed so.
int exit_code_of(error_code ec) noexcept;

/// Complains, by a line for each violated rule, behind what it is about if that is said; returns the exit code.
int tell_failure(failure const& f, std::string const& about = {});

/// Of several failures the code that counts: what a user has to do comes before what may pass.
int graver(int a, int b) noexcept;

/** The exit code after everything was written: `code`, unless the standard output took less than was written. Nothing is said of a
    reader that has gone, as `head` does. */
int after_output(int code);

} // namespace kftrain::cli

#endif
