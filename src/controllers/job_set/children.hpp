#ifndef KFTRAIN_SRC_CONTROLLERS_JOB_SET_CHILDREN_HPP
#define KFTRAIN_SRC_CONTROLLERS_JOB_SET_CHILDREN_HPP

#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/service.hpp>
#include <kftrain/objects/jobset/job_set.hpp>

#include <string>
#include <vector>

/** The objects that the JobSet controller creates.
    @par Upstream kubernetes-sigs/jobset v0.12.0 `pkg/controllers/jobset_controller.go`,
    `pkg/controllers/volume_claim_policy.go` */
namespace kftrain::controllers::job_sets {

/// Sets the fields that the webhook sets; idempotent. @par Upstream `pkg/webhooks/jobset_webhook.go`
void set_defaults(jobset::job_set&);

/// `<set>-<entry>-<index>`
std::string job_name(jobset::job_set const&, jobset::replicated_job const&, std::int32_t index);
/// Label with the entry of a Job.
inline constexpr std::string_view entry_key = "jobset.sigs.k8s.io/replicatedjob-name";
/// Jobs of a set in all. Upstream has no limit.
inline constexpr std::int32_t most_jobs = 10'000;
/// Whether there are more.
bool has_too_many_jobs(jobset::job_set const&) noexcept;

/// Name of the headless service.
std::string subdomain_of(jobset::job_set const&);

// These take a set with defaults.
batch::job new_job(jobset::job_set const&, jobset::replicated_job const&, std::int32_t index);
core::service new_service(jobset::job_set const&);
std::vector<core::persistent_volume_claim> new_claims(jobset::job_set const&);

} // namespace kftrain::controllers::job_sets

#endif
