#ifndef KFTRAIN_CONTROLLERS_BATCH_JOB_HPP
#define KFTRAIN_CONTROLLERS_BATCH_JOB_HPP

/** @file
    What Kubernetes itself does for Jobs of `batch/v1`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <span>

namespace kftrain::controllers {

/** Makes the pods of Jobs, replaces those that fail, counts each finished one exactly once, tells how the Job is and ends it:
    all completion modes, limits of failures for the Job and for each index, deadlines, suspension, policies for failed pods
    and for success, and deletion of finished Jobs after their time. Jobs whose `managedBy` names somebody else are left alone.

    A pod bears the finalizer `batch.kubernetes.io/job-tracking` until it is counted: it is written into
    `status.uncountedTerminatedPods` first, then loses the finalizer, and is counted when the loss is seen. One plan goes one
    of these ways at most, so a Job ends some plans after its last pod.

    Only pods that the Job controls are looked at: pods with fitting labels that nobody controls are not adopted, and pods
    whose labels no longer fit are not let go.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/job/job_controller.go`, `pkg/controller/ttlafterfinished`, v1.31 */
class batch_job_rules {
public:
    using object = batch::job;
    static constexpr std::string_view name = "job-controller";
    static constexpr bool looks_at_deleted = true; ///< pods of a Job that goes must not be kept by their finalizer

    batch_job_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<batch::job> const&) const;

private:
    std::vector<rules::watched> rows_;
};

/** Takes the finalizer `batch.kubernetes.io/job-tracking` from pods whose Job is no more, since nobody counts them.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/job/job_controller.go`, `syncOrphanPod`, v1.31 */
class orphaned_job_pod_rules {
public:
    using object = pod;
    static constexpr std::string_view name = "job-controller";
    static constexpr rules::status_form status = rules::status_form::none;
    static constexpr bool looks_at_deleted = true;

    orphaned_job_pod_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<pod> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
