#ifndef KFTRAIN_SRC_CLI_RUN_RUN_CHECKS_HPP
#define KFTRAIN_SRC_CLI_RUN_RUN_CHECKS_HPP

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The checks of `run` before it submits a job.
namespace kftrain::cli {

/// Prints issues with the place of their field in the file that the job was read from.
class issue_printer {
public:
    issue_printer(std::string file, any_job const& job);

    /// `FILE:LINE:COLUMN: error: <message>[; <advice>] [<rule>]`
    void print(issue const&, std::string const& advice = {}) const;

private:
    std::string file_;
    std::string api_version_, kind_;
    std::string name_, generate_name_;
};

/// Prints what lint finds, except for infos. False if the job would never start: it ends here.
bool startable(prepared_job const&, issue_printer const&);
/// Prints local_faults(). False if there is any.
bool servable(prepared_job const&, local::isolation, local::pod_options const&, issue_printer const&);

/// The kind and the name of an object.
using named_object = std::pair<resource_info const*, std::string>;

/// The Secrets, ConfigMaps and claims without a directory that the pods of a job need and its operator does not make.
std::set<named_object> needed_objects(prepared_job const&, local::pod_options const&);
/// Prints where the job names these.
void print_references(prepared_job const&, std::set<named_object> const& missing, issue_printer const&);

/// The objects that admission of the job looks up, such as the queue that it names.
std::vector<rules::target> looked_up_by_admission(any_job const&);
/// Whether admission accepts the job if these objects are there.
bool admitted_with(any_job const&, std::vector<any_object> const&);

} // namespace kftrain::cli

#endif
