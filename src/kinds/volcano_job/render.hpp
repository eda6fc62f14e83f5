#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_RENDER_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_RENDER_HPP

#include "kinds/volcano_job/plugins/plugins.hpp"

#include <kftrain/job/membership.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <vector>

/** The objects of a valid job with defaults, as the operator creates them.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/` */
namespace kftrain::volcano {

/// Values of the PriorityClasses that pod templates name.
using priority_map = name_map<std::int32_t>;

/// `forwarded`: the queue of the job forwards its jobs to other clusters. Volumes of claims have predictable names
/// instead of random ones.
core::pod render_pod(job const&, task_spec const&, std::int32_t index, volcano_operator_options const&,
                     bool forwarded = false);
/// Names the volumes of claims in such a pod.
std::vector<rules::recipe> pod_recipes(job const&);

/// Adds the parts of the plugins to a pod, in the order of their names. The pod already has its name and labels.
void apply_plugins(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_tensorflow(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_pytorch(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_mpi(core::pod&, job const&, task_spec const&, volcano_operator_options const&);
void apply_mxnet(core::pod&, job const&, task_spec const&);
void apply_ray(core::pod&, job const&, task_spec const&);
void apply_hcclrank(core::pod&, job const&, task_spec const&, std::int32_t index);
/// About how many bytes the environment of all pods takes in which others are named: it grows by the square of the job.
double environment_bytes(job const&, volcano_operator_options const& = volcano_operator_options());
/// Of what comes so far no container could start, or no server would store the pod.
inline constexpr double most_environment_bytes = 2048.0 * 1024 * 1024;
/// Adds a port of this number unless the container has one.
void open_port(core::container&, std::string_view name, std::int64_t number);

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

/// An object, and what is still to be made of it.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// All of them in the order of their creation, for a job of which nothing runs yet; see with_claim_names().
std::vector<rendered_object> render(job const&, priority_map const&, volcano_operator_options const&);
/// The objects of the plugins, in the order of their names.
std::vector<rendered_object> render_plugin_objects(job const&, volcano_operator_options const&);

/// The members of a valid job with defaults.
membership lay_out(job const&, volcano_operator_options const& = volcano_operator_options());

} // namespace kftrain::volcano

#endif
