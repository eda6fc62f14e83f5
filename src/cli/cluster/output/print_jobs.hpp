#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_PRINT_JOBS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_PRINT_JOBS_HPP

#include <kftrain/facade/explanation.hpp>
#include <kftrain/facade/job_reference.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// The format of printed jobs.
struct job_print {
    job_print() = default;

    std::string format; ///< table, name, json or yaml
    bool namespaces = false;
    bool list = false; ///< print a list even for one job
    std::string continue_;
    std::vector<std::string> progress; ///< of the jobs, for a table; may be empty
};

/// Prints to standard output. Lists have the form that kubectl prints.
void print_jobs(std::vector<any_job> const& jobs, job_print const& how);

/// Prints a JSON text on one line, or as a YAML document.
void print_answer(std::string const& json, std::string const& format);
/// Prints a result for one job, with the job that it belongs to. `what` is the name of the result: plan or preflight.
void print_answer_about(job_reference const& job, std::string const& what, std::string const& json,
                        std::string const& format);

/// Prints several lines with control characters escaped.
void print_lines(std::string_view text);

/// A text that changes if an explanation changes, except for evidence, which contains durations, and lines of logs.
std::string key_of(explanation const& e);

} // namespace kftrain::cli

#endif
