#ifndef KFTRAIN_SRC_FACADE_NEW_JOB_HPP
#define KFTRAIN_SRC_FACADE_NEW_JOB_HPP

#include <kftrain/job/any_job.hpp>

#include <string>

namespace kftrain {

/// Whether the server makes up the end of the name.
inline bool is_name_drawn(any_job const& job) {
    return job.metadata().name.empty() && !job.metadata().generate_name.empty();
}

/// The job as webhooks see it: with a name, though a stand-in, where the server makes up the end.
inline any_job with_name(any_job job) {
    if (is_name_drawn(job)) job.metadata().name = job.metadata().generate_name + std::string(5, 'x');
    return job;
}

/// The faults that admission finds in a new job. Copies the job only if the server completes its name.
inline issues faults_of_new(any_job const& job) {
    return is_name_drawn(job) ? with_name(job).validate() : job.validate();
}

} // namespace kftrain

#endif
