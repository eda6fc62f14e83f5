#include "controllers/batch_job/job_pods.hpp"
#include "controllers/batch_job/pass.hpp"

#include <kftrain/controllers/batch_job.hpp>
#include <kftrain/job/observed_types.hpp>

#include <algorithm>

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

/// The Job that controls the pod, or null; `controlled` is whether any object controls it.
owner_reference const* job_of(pod const& p, bool& controlled) noexcept {
    auto const& owners = p.metadata.owner_references;
    auto const at = std::ranges::find_if(owners, [](auto const& o) { return o.controller.value_or(false); });
    controlled = at != owners.end();
    bool const is_job =
        controlled && at->kind == batch::job::resource.kind && at->api_version == batch::job::resource.api_version();
    return is_job ? &*at : nullptr;
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

orphaned_job_pod_rules::orphaned_job_pod_rules() {
    rows_.emplace_back("job", object_type_of<batch::job>, rules::named_by<pod>([](pod const& p) {
                           bool controlled = false;
                           std::vector<rules::object_name> names;
                           if (auto const* owner = job_of(p, controlled)) names.emplace_back("", owner->name);
                           return names;
                       }));
}

object_type const& orphaned_job_pod_rules::primary() noexcept { return observed_pod_type(); }

bool orphaned_job_pod_rules::plans_for(pod const& p) { return batch_jobs::is_tracked(p); }

rules::plan orphaned_job_pod_rules::make_plan(rules::look<pod> const& look) const {
    rules::plan plan;
    auto const& p = look.object;
    if (!batch_jobs::is_tracked(p)) return plan;
    bool controlled = false;
    auto const* owner = job_of(p, controlled);
    if (controlled && owner == nullptr) return plan; // another controller uses the finalizer
    if (owner != nullptr) {
        auto const* job = look.world.find<batch::job>("job", owner->name);
        if (job != nullptr && job->metadata.uid == owner->uid) return plan;
        // The informer may not have a new Job yet; pods of a deleted Job are deleted.
        if (!p.metadata.deletion_timestamp) return plan;
    }
    plan.steps.emplace_back().actions.emplace_back(batch_jobs::untracked(p));
    return plan;
}

} // namespace kftrain::controllers
