#include "facade/refuse_job.hpp"

#include <kftrain/job/scaling.hpp>

namespace kftrain {

std::optional<failure> fault_of(job_reference const& job) {
    if (job.empty()) return rules::cannot("job", "expected a reference to a job, got an empty one");
    if (job.name.empty()) return rules::cannot("job.name", "expected the name of a job, got an empty one");
    return std::nullopt;
}

std::optional<failure> fault_of(any_job const& job) {
    if (job.empty()) return rules::cannot("job", "expected a job, got an empty one");
    return std::nullopt;
}

} // namespace kftrain
