#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_PLAN_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_PLAN_HPP

#include "job/v1/gang.hpp"
#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/// A copy of the job as it is stored, with this status.
using with_status = std::function<any_object(job_status)>;
/** The next plan for a valid job; `complete` is its view with defaults, and `changed` makes the objects whose status
    the operator writes.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/job.go`, `ReconcileJobs` */
rules::plan make_plan(prepared_job const&, replica_job const& complete, with_status const& changed, observed const&,
                      time_point now, gang_scheduler const&);
/// A plan with one event for a stored job that validation rejects: `<kind> failed validation because <why>`.
rules::plan invalid_plan(std::string reason, std::string_view kind, std::string_view why);
/// Whether an operator of the kind runs the job, and not a manager that the job names.
bool is_ours(replica_job const&) noexcept;

} // namespace kftrain::kubeflow_v1

#endif
