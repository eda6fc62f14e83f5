#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_JOB_EVIDENCE_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_JOB_EVIDENCE_HPP

#include "facade/explain/line_search.hpp"

#include <kftrain/facade/explanation.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/core.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::explaining {

/// The end of what a container wrote.
struct log_tail {
    log_tail() = default;

    std::string pod;
    std::string container;
    std::vector<std::string> lines; ///< oldest first, without their times
    std::optional<time_point> last; ///< when the last one was written
    /// Findings in the whole log that was read, which may begin before `lines`.
    std::optional<decisive_line> decisive;
};

/// The group of a gang, of either scheduler.
struct gang_state {
    gang_state() = default;

    std::string name;
    std::string phase;
    std::string queue;       ///< empty where there are none
    std::string queue_state; ///< e.g. `Open`, with what it may use and uses; empty: not known
    bool queue_missing = false;
    std::vector<std::string> holders; ///< lines about other groups that run in the queue
    std::int32_t min_member = 0;
    std::int32_t running = 0;
    std::string reason; ///< of the condition Unschedulable that holds; empty: there is none
    std::string message;
};

/// The Workload by which Kueue admits a job.
struct workload_state {
    workload_state() = default;

    std::string name; ///< empty: Kueue has none for the job
    bool active = true;
    std::vector<meta::condition> conditions;
    std::vector<std::string> checks; ///< lines about admission checks that are not ready
};

/// The evidence about a job. Parts that could not be read are absent and listed in `missing`.
struct job_evidence {
    job_evidence() = default;

    prepared_job job; ///< as the server stores it
    /// Completely decoded; may contain pods of other jobs, which are ignored.
    std::vector<std::shared_ptr<core::pod const>> pods;
    std::vector<job_event> events; ///< oldest first
    std::vector<log_tail> logs;
    std::optional<gang_state> gang;
    std::string missing_queue;              ///< that the job names and the server has not; empty where there is a gang
    std::optional<workload_state> workload; ///< absent: it was not read
    bool kueue_served = true;               ///< false if the server does not serve Workloads
    bool pods_known = true;                 ///< that there are no others
    bool events_known = true;               ///< the same
    std::vector<std::string> missing;
    std::chrono::seconds quiet{0}; ///< explain_options::quiet
};

/// Concludes. Pure.
explanation explain(job_evidence const& evidence, time_point now);

} // namespace kftrain::explaining

#endif
