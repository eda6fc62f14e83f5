#ifndef KFTRAIN_SRC_CLI_CLUSTER_PRINT_JOBS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_PRINT_JOBS_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/codec.hpp>

#include <iostream>
#include <string>
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

/// Prints a described struct: one line of JSON, or a document of YAML.
template <class Shown> void print_shown(Shown const& shown, std::string const& format) {
    if (format == "json")
        std::cout << to_json(shown) << '\n';
    else
        std::cout << to_yaml(shown);
}

/// Text of several lines, of which none can steer the terminal.
void print_lines(std::string_view text);

} // namespace kftrain::cli

#endif
