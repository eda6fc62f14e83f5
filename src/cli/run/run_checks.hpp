#ifndef KFTRAIN_SRC_CLI_RUN_RUN_CHECKS_HPP
#define KFTRAIN_SRC_CLI_RUN_RUN_CHECKS_HPP

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/job_checks.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/model/document.hpp>

#include <functional>
#include <memory>
#include <optional>
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
    void print(issue const&, std::string const& advice = {});

private:
    /// Reads the file again and finds the job in it.
    std::optional<document> find_job();

    std::string file_;
    std::shared_ptr<std::string const> text_; ///< of the file, once it was needed
    std::optional<document> written_;         ///< the job in the text
    std::string api_version_, kind_;
    std::string name_, generate_name_;
};

/// Prints what lint finds, except for infos. False if the job would never start: it ends here.
bool startable(prepared_job const&, issue_printer&);
/// Prints local::find_faults(). False if there is any.
bool servable(prepared_job const&, local::isolation, local::pod_options const&, issue_printer&);

/// Prints where the job names missing objects.
void print_references(prepared_job const&, std::set<local::named_object> const& missing, issue_printer&);

/// The objects that admission of the job looks up, such as the queue that it names.
std::vector<rules::reference> looked_up_by_admission(prepared_job const&);
/// Whether admission accepts the job if these objects are there.
bool admitted_with(prepared_job const&, std::vector<any_object> const&);

} // namespace kftrain::cli

#endif
