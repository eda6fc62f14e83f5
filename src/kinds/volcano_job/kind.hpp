#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP

#include "job/contract/child_metadata.hpp"
#include "kinds/volcano_job/plugins/plugins.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::volcano {

/// Upstream: volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/labels.go`, `pkg/apis/scheduling/v1beta1/labels.go`
namespace key {
inline constexpr std::string_view task_index = "volcano.sh/task-index";
inline constexpr std::string_view task_name = "volcano.sh/task-spec";
inline constexpr std::string_view job_name = "volcano.sh/job-name";
inline constexpr std::string_view job_namespace = "volcano.sh/job-namespace";
inline constexpr std::string_view job_version = "volcano.sh/job-version";
inline constexpr std::string_view job_retries = "volcano.sh/job-retry-count";
inline constexpr std::string_view job_forwarding = "volcano.sh/job-forwarding";
inline constexpr std::string_view queue_name = "volcano.sh/queue-name";
inline constexpr std::string_view template_id = "volcano.sh/template-uid";
inline constexpr std::string_view group_name = "scheduling.k8s.io/group-name";
inline constexpr std::string_view numa_policy = "volcano.sh/numa-topology-policy";
inline constexpr std::string_view preemptable = "volcano.sh/preemptable";
inline constexpr std::string_view cooldown = "volcano.sh/cooldown-time";
inline constexpr std::string_view revocable_zone = "volcano.sh/revocable-zone";
inline constexpr std::string_view budget_min = "volcano.sh/jdb-min-available";
inline constexpr std::string_view budget_max = "volcano.sh/jdb-max-unavailable";
} // namespace key

inline constexpr std::string_view default_task = "default";
inline constexpr std::string_view default_queue = "default";
inline constexpr std::int32_t default_retries = 3;

/// Returns the value of an annotation such as `volcano.sh/job-version`, or an empty view.
std::string_view annotation_of(object_meta const&, std::string_view key) noexcept;

std::string pod_name(job const&, task_spec const&, std::int64_t index);
/// Returns the name of the task as in names of pods.
std::string_view task_name(task_spec const&) noexcept;
/// Returns the host name of the template, or else the name of the pod.
std::string host_name(job const&, task_spec const&, std::int64_t index);
/// Returns the name of the service: the subdomain of the template, or else the name of the job.
std::string subdomain(job const&, task_spec const&);
/// Returns `<host name>.<subdomain>`.
std::string address(job const&, task_spec const&, std::int64_t index);
/// Returns the addresses of all replicas; a single one if the template fixes the host name.
std::vector<std::string> hosts(job const&, task_spec const&);
/// Returns the name of the task for names of variables and files, with underscores instead of hyphens.
std::string identifier(task_spec const&);
std::string upper_case(std::string);

std::string group_name(job const&);    ///< of the PodGroup
std::string hosts_name(job const&);    ///< of the ConfigMap of plugin svc
std::string secret_name(job const&);   ///< of plugin ssh
std::string hostfile_name(job const&); ///< of the ConfigMap of plugin mpi as designed
std::string head_name(job const&);     ///< of the Service of plugin ray

/// Returns the path of a task in a manifest.
std::string task_path(std::size_t number);

/// Returns whether the job is the controller of the object.
bool is_own(job const&, object_meta const&) noexcept;

// Tasks.

/// Limits the memory that a typing mistake can cost; no cluster has so many.
inline constexpr std::int32_t most_replicas = 100'000;

/// Returns the first task of this name, or null.
task_spec const* find_task(job const&, std::string_view name) noexcept;
/// Returns the number of the task in the list; absent if there is none.
std::optional<std::size_t> task_number(job const&, std::string_view name) noexcept;
/// Returns the replicas of the task, from 0 to most_replicas.
std::int32_t replicas_of(task_spec const&) noexcept;
/// Returns `minAvailable` of the task, or else its replicas.
std::int32_t min_available_of(task_spec const&) noexcept;
std::int64_t total_replicas(job const&) noexcept;
std::int64_t total_min_available(job const&) noexcept;

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

/// Returns all objects of a job without running pods, in the order of their creation; see with_claim_names().
std::vector<rendered_object> render(job const&, priority_map const&, volcano_operator_options const&);

/// Returns the members of a valid job with defaults.
membership lay_out(job const&, volcano_operator_options const& = volcano_operator_options());

/// The names of the watches.
namespace row {
inline constexpr std::string_view pods = "pods";
inline constexpr std::string_view groups = "pod groups";
inline constexpr std::string_view commands = "commands";
inline constexpr std::string_view queue = "queue";
inline constexpr std::string_view hosts = "config map";
inline constexpr std::string_view services = "services";
inline constexpr std::string_view network_policy = "network policy";
inline constexpr std::string_view secret = "secret";
inline constexpr std::string_view claims = "claims";
inline constexpr std::string_view priorities = "priority classes";
} // namespace row

/// Returns the objects that an operator with these options watches.
std::vector<rules::watched> watched_rows(volcano_operator_options const&);
/** Returns the next plan for a stored job; `rows` are those of the operator.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller.go` */
rules::plan make_plan(rules::job_look<job> const&, std::span<rules::watched const> rows,
                      volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
