#ifndef KFTRAIN_SRC_CLI_CLUSTER_PRINT_JOBS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_PRINT_JOBS_HPP

#include <kftrain/facade/job_reference.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::cli {

/// How jobs are printed.
struct job_print {
    job_print() = default;

    std::string format; ///< table, name, json or yaml
    bool namespaces = false;
    bool list = false; ///< as a list also where it is one job
    std::string continue_;
};

/// Prints to the standard output; lists as kubectl prints them.
void print_jobs(std::vector<any_job> const& jobs, job_print const& how);

/// Prints an answer of the facade, which is JSON: on one line, or as a document of YAML.
void print_answer(std::string const& json, std::string const& format);
/// The same of what is told of one job of several: each in a line or document of its own, behind which job it is. `what` names the answer.
void print_answer_about(job_reference const& job, std::string const& what, std::string const& json,
                        std::string const& format);

/// Text of several lines, of which none can steer the terminal.
void print_lines(std::string_view text);

} // namespace kftrain::cli

#endif
