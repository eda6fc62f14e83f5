#ifndef KFTRAIN_SRC_CLI_RUN_RUN_INPUT_HPP
#define KFTRAIN_SRC_CLI_RUN_RUN_INPUT_HPP

#include "cli/commands.hpp"
#include "cli/manifests/read_job.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

// The input files of `run`.
namespace kftrain::cli {

/// A job and the file that it was read from.
struct job_to_run {
    job_to_run(std::string f, prepared_job const& j) : file(std::move(f)), job(j) {}

    std::string file; ///< `-` for the standard input, here and below
    prepared_job job;
};

/// An object that is not a job, and the file that it was read from.
struct object_to_create {
    object_to_create(std::string f, other_document d) : file(std::move(f)), document(std::move(d)) {}

    std::string file;
    other_document document;
};

struct run_input {
    run_input() = default;

    std::vector<job_to_run> jobs;          ///< in the order of the files
    std::vector<object_to_create> objects; ///< in an order in which a cluster accepts them
};

/** Reads and validates jobs that a local cluster will run, and the objects beside them. A directory stands for its
    files *.json, *.yaml and *.yml in the order of their names, as for kubectl. Prints faults. */
std::optional<run_input> read_run_input(std::vector<std::string> const& files, operator_options const& flags);

} // namespace kftrain::cli

#endif
