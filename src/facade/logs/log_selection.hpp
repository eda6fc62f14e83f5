#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_SELECTION_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_SELECTION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/facade/job_logs.hpp>
#include <kftrain/objects/core.hpp>

#include <set>
#include <string>
#include <vector>

namespace kftrain {

/// Checks the options independently of the job. @par Errors `errc::invalid_argument`, which names option, value and
/// expectation.
result<void> check_log_options(job_log_options const& options);

/// Checks the roles and ranks of the options for a job with these members. @par Errors as above
result<void> check_log_members(job_log_options const& options, membership const& layout);

/// Whether the output of all members of a role is left out.
bool leaves_out_role(job_log_options const& options, std::string const& role);
/// Whether the output of a member is wanted.
bool wants_member(job_log_options const& options, member const& m);
/// The containers in a pod's status whose output is wanted.
std::vector<std::string> wanted_containers(job_log_options const& options, pod const& p);

/// The known containers, for the message about an unknown one.
class known_containers {
public:
    /// The containers of a template.
    void add(core::pod_spec const& s);
    /// The containers in the status of a pod, including those that others than its author added.
    void add(pod const& p);
    /// Checks the containers of the options; passes while none is known.
    result<void> check(job_log_options const& options) const;

private:
    std::set<std::string> names_; ///< as many as the templates and the pods of a job have
};

} // namespace kftrain

#endif
