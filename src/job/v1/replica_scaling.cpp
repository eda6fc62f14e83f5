#include "base/ascii.hpp"
#include "job/contract/gang_settings.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_job.hpp"

#include <kftrain/job/job_patch.hpp>

namespace kftrain::kubeflow_v1 {
namespace {

/// The type that the subresource `scale` of the family's CRDs is about.
constexpr std::string_view scaled_type = "Worker";

bool is_suspended(replica_job const& job) { return job.policy.suspend.value_or(false); }

} // namespace

rules::scaling scaling_of(replica_job const& job) {
    rules::scaling s;
    auto const* const workers = job.spec_of(scaled_type);
    if (is_finished(job.status)) {
        s.refused = "the job is finished";
    } else if (workers == nullptr) {
        s.refused = "the job has no replicas of type Worker";
    } else if (auto place = job.elastic_place()) {
        s.places.push_back(*std::move(place));
    } else if (is_suspended(job)) {
        auto& p = s.places.emplace_back();
        p.least = 1;
        p.most = static_cast<std::int32_t>(job.constants.max_replicas);
        p.effect = "Pods that are created when the job is resumed receive the new number.";
    } else {
        s.refused = "its running pods received the number of replicas when they were created; suspend the job first";
    }
    for (auto& p : s.places) {
        p.role = scaled_type;
        p.path = job.path_of(scaled_type) + ".replicas";
        p.now = workers->replicas.value_or(1);
    }
    return s;
}

result<rules::job_write> scaled(replica_job const& job, replica_job const& stored, std::string_view type,
                                std::int32_t replicas) {
    auto const place = rules::checked_place(scaling_of(job), type, replicas, job.path_of(type) + ".replicas");
    if (!place) return place.error();
    // A key that the server does not have would become an entry without a template.
    std::string_view key = type;
    if (stored.spec_of(type) == nullptr)
        for (auto const& [spelled, spec] : stored.specs)
            if (to_lower(spelled) == to_lower(type)) key = spelled;
    return rules::patch_of_job(job.resource, job.metadata, {job.constants.specs_field, key, "replicas"},
                               std::to_string(replicas));
}

rules::suspending suspending_of(replica_job const& job) {
    return rules::suspending_of(is_suspended(job), is_finished(job.status));
}

std::optional<rules::gang_settings> gang_settings_of(replica_job const& job) {
    return rules::gang_settings_of(job.policy.scheduling_policy);
}

result<rules::job_write> suspended(replica_job const& job, bool on) {
    return rules::patch_of_suspend(suspending_of(job), job.resource, job.metadata, {"runPolicy", "suspend"}, on);
}

} // namespace kftrain::kubeflow_v1
