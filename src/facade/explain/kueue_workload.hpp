#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_KUEUE_WORKLOAD_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_KUEUE_WORKLOAD_HPP

#include "facade/explain/job_evidence.hpp"
#include "facade/parallel_queries.hpp"

namespace kftrain::explaining {

/// The queue of Kueue that a job names; empty: Kueue does not manage it.
std::string kueue_queue(any_job const&);

/** Returns the query for the Workload with which Kueue admits the job. The result goes into `evidence`, which must
    outlive the question.
    @par Upstream kueue v0.10.0 `pkg/controller/constants/constants.go`, `apis/kueue/v1beta1/workload_types.go` */
query workload_query(job_evidence& evidence);

/// Adds to a cause of a suspended job why Kueue has not admitted it, with advice.
void report_workload(job_cause&, std::string const& queue, workload_state const&);

} // namespace kftrain::explaining

#endif
