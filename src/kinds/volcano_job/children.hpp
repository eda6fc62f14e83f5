#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_CHILDREN_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_CHILDREN_HPP

#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kftrain::volcano {

// The objects of a valid job with defaults, as the operator creates them.
// Upstream: volcano v1.9.0 `pkg/controllers/job/`

/// The values of the PriorityClasses that pod templates name.
using priority_map = name_map<std::int32_t>;

/// Returns a pod. Volumes of claims have predictable names instead of random ones. `forwarded`: the queue of the job
/// forwards its jobs to other clusters.
core::pod render_pod(job const&, task_spec const&, std::int32_t index, volcano_operator_options const&,
                     bool forwarded = false);
/// Returns the recipes for the names of the volumes of claims in such a pod.
std::vector<rules::recipe> pod_recipes(job const&);

core::config_map render_hosts(job const&);
/// Returns the ConfigMap of the plugin mpi as designed.
core::config_map render_hostfile(job const&);
core::service render_service(job const&);
networking::network_policy render_network_policy(job const&);
core::service render_head_service(job const&);
/// Returns the file `config` of ssh.
std::string ssh_config(job const&);
/// Returns the Secret of the plugin ssh. It has keys only if they are arguments of the plugin.
core::secret render_secret(job const&);
/// Returns the recipe for the keys; none if they are arguments of the plugin.
std::vector<rules::recipe> secret_recipes(job const&);

/// Returns the PodGroup. Its `minResources` depend on the release.
pod_group render_pod_group(job const&, priority_map const&, volcano_release);
pod_group_spec group_spec(job const&, priority_map const&, volcano_release);
resource_list min_resources(job const&, priority_map const&, volcano_release);
/// Returns the quota usage of one pod of the task. @par Upstream kubernetes v1.29 `pkg/quota/v1/evaluator/core/pods.go`
resource_list quota_usage(core::pod_spec const&);

/// Returns the claim that the operator creates for a volume. The volume already has the name of the claim.
core::persistent_volume_claim render_claim(job const&, volume_spec const&);
/// Returns the recipe for the name of the claim of the volume of this number, which has no name yet.
rules::recipe claim_name_recipe(std::size_t volume);
/// Returns the job with names for all claims. The names of claims that do not exist yet end in digits.
job with_claim_names(job const&);

/// An object, and the recipes for the content that it still lacks.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// Returns all objects of a job without running pods, in the order of their creation; see with_claim_names().
std::vector<rendered_object> render(job const&, priority_map const&, volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
