#ifndef KFTRAIN_SRC_FACADE_REFUSE_JOB_HPP
#define KFTRAIN_SRC_FACADE_REFUSE_JOB_HPP

#include "kube/async/waiting_caller.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/transport.hpp>

#include <optional>
#include <utility>

namespace kftrain {

/// Why no operation can begin with such a job: there is none, or it has no name. @par Errors `errc::invalid_argument`
std::optional<failure> fault_of(job_reference const& job);
/// The same of a job to be submitted, whose name may be made up by the server.
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

} // namespace kftrain

#endif
