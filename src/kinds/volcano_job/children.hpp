#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_CHILDREN_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_CHILDREN_HPP

#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kftrain::volcano {

// The objects of a valid job with defaults, as the operator creates them.
// Upstream: volcano v1.9.0 `pkg/controllers/job/`

/// Values of the PriorityClasses that pod templates name.
using priority_map = name_map<std::int32_t>;

/// `forwarded`: the queue of the job forwards its jobs to other clusters. Volumes of claims have predictable names
/// instead of random ones.
core::pod render_pod(job const&, task_spec const&, std::int32_t index, volcano_operator_options const&,
                     bool forwarded = false);
/// Names the volumes of claims in such a pod.
std::vector<rules::recipe> pod_recipes(job const&);

core::config_map render_hosts(job const&);
/// For the plugin mpi as designed.
core::config_map render_hostfile(job const&);
core::service render_service(job const&);
networking::network_policy render_network_policy(job const&);
core::service render_head_service(job const&);
/// The file `config` of ssh.
std::string ssh_config(job const&);
/// Without the keys, unless they are given as arguments.
core::secret render_secret(job const&);
/// The recipe for the keys; empty if they are given.
std::vector<rules::recipe> secret_recipes(job const&);

/// `min_resources` follow the release.
pod_group render_pod_group(job const&, priority_map const&, volcano_release);
pod_group_spec group_spec(job const&, priority_map const&, volcano_release);
resource_list min_resources(job const&, priority_map const&, volcano_release);
/// The quota usage of one pod of the task. @par Upstream kubernetes v1.29 `pkg/quota/v1/evaluator/core/pods.go`
resource_list quota_usage(core::pod_spec const&);

/// The claim of a volume that has one to make; the volume has its name.
core::persistent_volume_claim render_claim(job const&, volume_spec const&);
/// Names the claim of the volume of this number, which has no name yet.
rules::recipe claim_name_recipe(std::size_t volume);
/// The job with names for all claims: those that are still to be made end in digits.
job with_claim_names(job const&);

/// An object, and the recipes for the content that it still lacks.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// All objects in the order of their creation, for a job without running pods; see with_claim_names().
std::vector<rendered_object> render(job const&, priority_map const&, volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
