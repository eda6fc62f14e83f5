#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_REPORT_FAILURE_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_REPORT_FAILURE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>

namespace kftrain::cli {

/// The exit code for this error.
int exit_code_of(error_code ec) noexcept;

/// Prints the failure, one line for each violated rule, each after `about`. Returns the exit code.
int report_failure(failure const& f, std::string const& about = {});

/// The exit code that counts of two: faults that the user must correct come before temporary ones.
int graver(int a, int b) noexcept;

} // namespace kftrain::cli

#endif
