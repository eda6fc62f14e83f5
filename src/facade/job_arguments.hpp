#ifndef KFTRAIN_SRC_FACADE_JOB_ARGUMENTS_HPP
#define KFTRAIN_SRC_FACADE_JOB_ARGUMENTS_HPP

#include "kube/async/waiting_caller.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Checks of the jobs, roles and kinds that operations receive. All errors are `errc::invalid_argument`.
namespace kftrain {

/// Returns the fault of a reference that is empty or has no name.
std::optional<failure> fault_of(job_reference const& job);
/// Returns the fault of an empty job. The server may generate the name of a job that is submitted.
std::optional<failure> fault_of(any_job const& job);

/// If the job has a fault, completes `handler` with it and returns true.
template <class Job, class... V>
bool refuse_job(Job const& job, boost::asio::any_io_executor const& executor,
                kube::any_handler<void(error_code, V...)>& handler, diagnostics* detail) {
    auto const fault = fault_of(job);
    if (!fault) return false;
    if (detail != nullptr) *detail = fault->detail;
    kube::complete_later(executor, std::move(handler), fault->code, V()...);
    return true;
}

/// Returns the roles of a stored job: those of `layout`, and those that scaling can give members.
std::vector<std::string> roles_of(prepared_job const& job, membership const& layout);
/// Returns the fault of a role that is not in `roles`. `path` is the path of the error.
std::optional<failure> fault_of_role(std::string_view path, std::string_view role,
                                     std::vector<std::string> const& roles);

/// Returns the fault of options that name a null kind.
std::optional<failure> fault_of_kinds(std::vector<rules::job_rules const*> const& named);
/// Returns the kinds that the options of lists and watches name, each once and in order; all kinds if they name none.
std::vector<rules::job_rules const*> selected_kinds(std::vector<rules::job_rules const*> const& named);

} // namespace kftrain

#endif
