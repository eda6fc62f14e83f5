#ifndef KFTRAIN_SRC_CLI_MANIFESTS_READ_JOB_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_READ_JOB_HPP

#include "cli/manifests/manifests.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

/// Caches the rules of kinds for one set of operator flags. Callers pass the same flags each time.
class kinds_with_flags {
public:
    rules::job_rules const& rules_of(rules::job_rules const& kind, operator_options const& flags) {
        auto& kept = all_[&kind];
        if (kept == nullptr) kept = kind.with(flags);
        return *kept;
    }

private:
    std::map<rules::job_rules const*, std::shared_ptr<rules::job_rules const>> all_;
};

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
/// The jobs have the rules for these flags of their operators.
std::optional<std::vector<any_job>> read_written_jobs(std::string const& file, operator_options const& flags = {});
/// Prepares a job of that file, in the namespace "default" if it has none. Prints its faults; absent if it is invalid.
std::optional<prepared_job> checked_job(any_job job, std::string const& file);
/// Checks that no role has a negative number of replicas, which some servers accept. Prints violations.
bool has_possible_replicas(any_job const& job, std::string const& file);

} // namespace kftrain::cli

#endif
