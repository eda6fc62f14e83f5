#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <cstdint>
#include <optional>
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
/// Limits the memory that a typing mistake can cost; no cluster has so many.
inline constexpr std::int32_t most_replicas = 100'000;

/// `volcano.sh/job-version` and its like: the value, or an empty view.
std::string_view annotation_of(object_meta const&, std::string_view key) noexcept;

std::string pod_name(job const&, task_spec const&, std::int64_t index);
/// The name of the task as pods bear it.
std::string_view task_name(task_spec const&) noexcept;
/// From the template, else from the pod.
std::string host_name(job const&, task_spec const&, std::int64_t index);
/// The name of the service: from the template, else from the job.
std::string subdomain(job const&, task_spec const&);
/// `<host name>.<subdomain>`
std::string address(job const&, task_spec const&, std::int64_t index);
/// The hosts of all replicas; a single one if the template fixes the host name.
std::vector<std::string> hosts(job const&, task_spec const&);
/// The task's name in names of variables and files, where no hyphen may be.
std::string identifier(task_spec const&);
std::string upper_case(std::string);

std::string group_name(job const&);    ///< of the PodGroup
std::string hosts_name(job const&);    ///< of the ConfigMap of plugin svc
std::string secret_name(job const&);   ///< of plugin ssh
std::string hostfile_name(job const&); ///< of the ConfigMap of plugin mpi as designed
std::string head_name(job const&);     ///< of the Service of plugin ray

/// The first of this name, or null.
task_spec const* find_task(job const&, std::string_view name) noexcept;
/// Number of the task in the list; absent if there is none.
std::optional<std::size_t> task_number(job const&, std::string_view name) noexcept;
std::int32_t replicas_of(task_spec const&) noexcept;      ///< never negative, and not beyond most_replicas
std::int32_t min_available_of(task_spec const&) noexcept; ///< or else the replicas
std::int64_t total_replicas(job const&) noexcept;
std::int64_t total_min_available(job const&) noexcept;

/// The path of a task in a manifest.
std::string task_path(std::size_t number);

/// Name, namespace and owner of what the job owns.
object_meta child_metadata(job const&, std::string name);
bool is_own(job const&, object_meta const&) noexcept;

// The plugins of a job with their parsed arguments. Upstream calls them in random order; here they come in the order
// of their names.
// Upstream: volcano v1.9.0 `pkg/controllers/job/plugins/`, v1.13.0 for hcclrank and ray; of plugins as designed,
// v1.9.0 `docs/design/distributed-framework-plugins.md`

namespace plugin {
inline constexpr std::string_view env = "env";
inline constexpr std::string_view svc = "svc";
inline constexpr std::string_view ssh = "ssh";
inline constexpr std::string_view tensorflow = "tensorflow";
inline constexpr std::string_view mpi = "mpi";
inline constexpr std::string_view pytorch = "pytorch";
inline constexpr std::string_view mxnet = "mxnet"; ///< designed only
inline constexpr std::string_view hcclrank = "hcclrank";
inline constexpr std::string_view ray = "ray";
} // namespace plugin

/// Whether an operator with these options has a plugin of this name.
bool is_plugin(std::string_view name, volcano_operator_options const&) noexcept;
bool is_designed(volcano_operator_options const&) noexcept;
/// The plugins that admission adds to this one.
std::span<std::string_view const> needed_plugins(std::string_view name, volcano_operator_options const&) noexcept;
bool has_plugin(job const&, std::string_view name) noexcept;
/// The arguments of a plugin; empty if the job does not have it.
std::vector<std::string> const& arguments_of(job const&, std::string_view plugin) noexcept;
/// The faults of a plugin's arguments; empty if there are none.
std::string argument_fault(job const&, std::string_view plugin, framework_plugins = framework_plugins::released);

struct svc_settings {
    svc_settings() = default;

    bool publish_not_ready_addresses = false;
    bool disable_network_policy = false;
};

struct ssh_settings {
    ssh_settings() = default;

    std::string key_path = "/root/.ssh";
    std::string private_key; ///< empty: a pair is made
    std::string public_key;
};

/// How pods wait for those of other tasks; of plugins as designed.
struct wait_settings {
    wait_settings() = default;

    std::string image = "busybox:1.36.1"; ///< has a shell and ping
    std::int64_t timeout = 300;           ///< in seconds
};

struct tensorflow_settings {
    tensorflow_settings() = default;

    std::string ps = "ps";
    std::string worker = "worker";
    std::string chief = "chief";
    std::string evaluator = "evaluator";
    std::int64_t port = 2222;
    wait_settings wait;
};

/// As designed only.
struct mxnet_settings {
    mxnet_settings() = default;

    std::string scheduler = "scheduler";
    std::string server = "server";
    std::string worker = "worker";
    std::int64_t port = 9000;
    wait_settings wait;
};

/// The settings of mpi, pytorch and hcclrank, which has no port.
struct rank_settings {
    rank_settings() = default;
    explicit rank_settings(std::int64_t p) : port(p) {}

    std::string master = "master";
    std::string worker = "worker";
    std::int64_t port = 0;
    std::string processes = "1"; ///< of pytorch as designed: on each node; a number, auto, cpu or gpu
    std::int64_t slots = 1;      ///< of mpi as designed: in each line of the hostfile
    wait_settings wait;
};

struct ray_settings {
    ray_settings() = default;

    std::string head = "head";
    std::string head_container = "head";
    std::string worker = "worker";
    std::string worker_container = "worker";
    std::int64_t port = 6379;
    std::int64_t dashboard_port = 8265;
    std::int64_t client_port = 10001;
};

inline constexpr std::string_view root_ssh_path = "/root/.ssh";

svc_settings svc_of(job const&);
ssh_settings ssh_of(job const&);
tensorflow_settings tensorflow_of(job const&, framework_plugins = framework_plugins::released);
rank_settings mpi_of(job const&, framework_plugins = framework_plugins::released);
rank_settings pytorch_of(job const&, framework_plugins = framework_plugins::released);
mxnet_settings mxnet_of(job const&);
rank_settings hcclrank_of(job const&);
ray_settings ray_of(job const&);

/// The `WORLD_SIZE` of the plugin pytorch. It counts pods, not processes; older releases count the pods of all tasks.
std::int64_t world_size_of(job const&, rank_settings const&, volcano_operator_options const&);

// The designed behaviour of framework plugins beyond the variables that they set: launch order, policies, restarts.
// Upstream: volcano v1.9.0 `docs/design/distributed-framework-plugins.md`; what it leaves open is decided in
// docs/reference/kinds/volcano_job.md, "As designed"

/// The roles of a job's tasks for a framework plugin.
struct framework {
    framework() = default;

    std::string_view plugin;
    std::vector<std::string> roles;   ///< tasks that take part
    std::vector<std::string> waiting; ///< those of them that start later
    std::string awaited;              ///< the one that they wait for
    std::string deciding;             ///< when it is through, the job is
    wait_settings wait;
};

/// The frameworks of the job in the order of their names. A framework without its leading task does not affect the job,
/// and is omitted.
std::vector<framework> frameworks_of(job const&);

/** Sets what admission adds: restart policies of containers, the policy that ends the job, and the dependencies between
    tasks with the resulting gang. A job with its own order keeps it. Idempotent; tasks have their names and minima. */
void complete_as_designed(job&, volcano_operator_options const&);

/// Whom the pods of a task wait for in an init container; null: nobody. The first framework of a job decides.
task_spec const* awaited_task(job const&, task_spec const&, volcano_operator_options const&);
/// Adds that init container, behind those of the template.
void add_wait(core::pod&, job const&, task_spec const&, volcano_operator_options const&);

/// How many ranks a pod of pytorch as designed has; absent if that is known at run time only, 1 of others.
std::optional<std::int32_t> processes_of(rank_settings const&);
/// The faults of well-formed values; empty if there are none.
std::string value_fault(job const&, std::string_view plugin);

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

/// Adds the parts of the plugins to a pod, in the order of their names. The pod already has its name and labels.
void apply_plugins(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_tensorflow(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_pytorch(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_mpi(core::pod&, job const&, task_spec const&, volcano_operator_options const&);
void apply_mxnet(core::pod&, job const&, task_spec const&);
void apply_ray(core::pod&, job const&, task_spec const&);
void apply_hcclrank(core::pod&, job const&, task_spec const&, std::int32_t index);
/// The approximate size in bytes of all environments with names of other pods: it grows with the square of the job.
double environment_bytes(job const&, volcano_operator_options const& = volcano_operator_options());
/// With a larger environment no container could start, or no server would store the pod.
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

/// An object, and the recipes for the content that it still lacks.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// All objects in the order of their creation, for a job without running pods; see with_claim_names().
std::vector<rendered_object> render(job const&, priority_map const&, volcano_operator_options const&);
/// The objects of the plugins, in the order of their names.
std::vector<rendered_object> render_plugin_objects(job const&, volcano_operator_options const&);

/// The members of a valid job with defaults.
membership lay_out(job const&, volcano_operator_options const& = volcano_operator_options());

/// Names of what is watched.
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

/// The objects that an operator with these options watches.
std::vector<rules::watched> watched_rows(volcano_operator_options const&);
/** The next plan for a stored job; `rows` are those of the operator.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller.go` */
rules::plan make_plan(rules::job_look<job> const&, std::span<rules::watched const> rows,
                      volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
