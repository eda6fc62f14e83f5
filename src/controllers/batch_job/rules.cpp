#include "controllers/batch_job/pass.hpp"

#include <kftrain/controllers/batch_job.hpp>
#include <kftrain/job/observed_types.hpp>

namespace kftrain::controllers {
namespace {

using namespace batch_jobs;

constexpr std::string_view our_name = "kubernetes.io/job-controller";

/// Deletes a Job some time after its end.
rules::plan clean_up(rules::look<batch::job> const& look, batch::job_condition const& end) {
    rules::plan plan;
    auto const& job = look.object;
    if (!job.spec.ttl_seconds_after_finished || job.metadata.deletion_timestamp || !end.last_transition_time)
        return plan;
    auto const expires = *end.last_transition_time + std::chrono::seconds(*job.spec.ttl_seconds_after_finished);
    if (look.now < expires) {
        plan.requeue_at = expires;
        return plan;
    }
    rules::remove gone(rules::target(batch::job::resource, job.metadata));
    gone.how = rules::propagation::foreground;
    plan.steps.emplace_back().actions.emplace_back(std::move(gone));
    return plan;
}

rules::plan refuse(std::string reason, std::string message) {
    rules::plan plan;
    plan.steps.emplace_back().actions.emplace_back(rules::emit_event("Warning", std::move(reason), std::move(message)));
    return plan;
}

} // namespace

batch_job_rules::batch_job_rules() { rows_.emplace_back("pods", observed_pod_type(), rules::by_controller()); }

rules::plan batch_job_rules::make_plan(rules::look<batch::job> const& look) const {
    auto const& job = look.object;
    if (auto const* end = end_of(job)) return clean_up(look, *end);
    if (job.spec.managed_by && *job.spec.managed_by != our_name) return {};
    if (auto const& mode = job.spec.completion_mode; mode && *mode != "NonIndexed" && *mode != "Indexed")
        return refuse("UnknownCompletionMode", "Skipped Job sync because completion mode is unknown");
    return pass(look).make();
}

} // namespace kftrain::controllers
