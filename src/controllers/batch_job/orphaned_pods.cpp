#include "controllers/batch_job/job_pods.hpp"

#include <kftrain/controllers/batch_job.hpp>
#include <kftrain/job/observed_types.hpp>

#include <algorithm>

namespace kftrain::controllers {
namespace {

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
    if (controlled && owner == nullptr) return plan; // of somebody else, who knows what the finalizer is for
    if (owner != nullptr) {
        auto const* job = look.world.find<batch::job>("job", owner->name);
        if (job != nullptr && job->metadata.uid == owner->uid) return plan;
        // A Job that was made just now may not be seen yet; pods of one that is gone are deleted.
        if (!p.metadata.deletion_timestamp) return plan;
    }
    plan.steps.emplace_back().actions.emplace_back(batch_jobs::untracked(p));
    return plan;
}

} // namespace kftrain::controllers
