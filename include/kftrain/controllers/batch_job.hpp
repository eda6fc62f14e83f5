#ifndef KFTRAIN_CONTROLLERS_BATCH_JOB_HPP
#define KFTRAIN_CONTROLLERS_BATCH_JOB_HPP

/** @file The controller of Kubernetes for Jobs of `batch/v1`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <span>

namespace kftrain::controllers {

/** Creates the pods of Jobs, replaces failed ones, counts each finished pod exactly once, reports the state of the
    Job and ends it: all completion modes, limits of failures for the Job and for each index, deadlines, suspension,
    policies for failed pods and for success, and deletion of finished Jobs after their time to live. Ignores Jobs
    whose `managedBy` names another controller.

    A pod has the finalizer `batch.kubernetes.io/job-tracking` until it is counted: it is written into
    `status.uncountedTerminatedPods` first, then loses the finalizer, and is counted when the removal is observed.
    One plan takes at most one of these steps, so a Job ends some plans after its last pod.

    Only pods that the Job controls count: pods with matching labels but without a controller are not adopted, and
    pods whose labels no longer match are not released.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/job/job_controller.go`, `pkg/controller/ttlafterfinished`, v1.31 */
class batch_job_rules {
public:
    using object = batch::job;
    static constexpr std::string_view name = "job-controller";
    static constexpr bool looks_at_deleted = true; ///< the finalizer must not keep the pods of a deleted Job

    batch_job_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<batch::job> const&) const;

private:
    std::vector<rules::watched> rows_;
};

/** Removes the finalizer `batch.kubernetes.io/job-tracking` from pods whose Job no longer exists, because no
    controller counts them.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/job/job_controller.go`, `syncOrphanPod`, v1.31 */
class orphaned_job_pod_rules {
public:
    using object = pod;
    static constexpr std::string_view name = "job-controller";
    static constexpr rules::status_form status = rules::status_form::none;
    static constexpr bool looks_at_deleted = true;
    static object_type const& primary() noexcept; ///< observed_pod_type()
    static bool plans_for(pod const&);            ///< pods with that finalizer

    orphaned_job_pod_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<pod> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
