#ifndef KFTRAIN_CONTROLLERS_JOB_SET_HPP
#define KFTRAIN_CONTROLLERS_JOB_SET_HPP

/** @file The controller of JobSets of `jobset.x-k8s.io/v1alpha2`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/jobset/job_set.hpp>

#include <span>
#include <vector>

namespace kftrain::controllers {

/** Creates the headless service, the claims and the Jobs of JobSets, in the order of their dependencies; suspends and
    resumes the Jobs; reports their counts; ends or restarts the set by its policies for success and failure; deletes
    finished sets after their time to live. Ignores sets whose `managedBy` names another controller.

    Fields that the webhook of JobSet sets are taken as set. Does not restart single Jobs and does not restart in
    place, which are alpha features: `RestartJob` and `RestartJobAndIgnoreMaxRestarts` restart the set. Rules that match
    messages of failed Jobs match none. A set of more than 10,000 Jobs gets none of them, but an event.
    @par Thread safety Safe.
    @par Upstream kubernetes-sigs/jobset v0.12.0 `pkg/controllers/jobset_controller.go` */
class job_set_rules {
public:
    using object = jobset::job_set;
    static constexpr std::string_view name = "jobset";

    job_set_rules();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<jobset::job_set> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
