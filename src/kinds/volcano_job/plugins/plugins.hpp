#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_PLUGINS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_PLUGINS_HPP

#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/any_object.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::volcano {

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

/// Returns whether an operator with these options has a plugin of this name.
bool is_plugin(std::string_view name, volcano_operator_options const&) noexcept;
bool is_designed(volcano_operator_options const&) noexcept;
/// Returns the plugins that admission adds to this one.
std::span<std::string_view const> needed_plugins(std::string_view name, volcano_operator_options const&) noexcept;
bool has_plugin(job const&, std::string_view name) noexcept;
/// Returns the arguments of a plugin; empty if the job does not have it.
std::vector<std::string> const& arguments_of(job const&, std::string_view plugin) noexcept;
/// Returns the faults of a plugin's arguments; empty if there are none.
std::string argument_fault(job const&, std::string_view plugin, framework_plugins = framework_plugins::released);

struct svc_settings {
    svc_settings() = default;

    bool publish_not_ready_addresses = false;
    bool disable_network_policy = false;
};

struct ssh_settings {
    ssh_settings() = default;

    std::string key_path = "/root/.ssh";
    std::string private_key; ///< empty: the operator generates a pair of keys
    std::string public_key;
};

/// The settings of pods that wait for pods of other tasks, for plugins as designed.
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

/// The settings of mxnet, which exists as designed only.
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

/// Returns the `WORLD_SIZE` of the plugin pytorch. It counts pods, not processes; older releases count the pods of all
/// tasks.
std::int64_t world_size_of(job const&, rank_settings const&, volcano_operator_options const&);

// The designed behaviour of framework plugins beyond the variables that they set: launch order, policies, restarts.
// Upstream: volcano v1.9.0 `docs/design/distributed-framework-plugins.md`; what it leaves open is decided in
// docs/reference/kinds/volcano_job.md, "As designed"

/// The roles of a job's tasks for a framework plugin.
struct framework {
    framework() = default;

    std::string_view plugin;
    std::vector<std::string> roles;   ///< tasks that take part
    std::vector<std::string> waiting; ///< the roles that start later
    std::string awaited;              ///< the role that they wait for
    std::string deciding;             ///< the job ends with this task
    wait_settings wait;
};

/// Returns the frameworks of the job in the order of their names. A framework without its leading task does not affect
/// the job, and is omitted.
std::vector<framework> frameworks_of(job const&);

/** Sets what admission adds: restart policies of containers, the policy that ends the job, and the dependencies between
    tasks with the resulting gang. A job with its own order keeps it. Idempotent; tasks have their names and minima. */
void complete_as_designed(job&, volcano_operator_options const&);

/// Returns the task for which the pods of a task wait in an init container; null if they do not wait. The first
/// framework of a job decides.
task_spec const* awaited_task(job const&, task_spec const&, volcano_operator_options const&);
/// Adds that init container after those of the template.
void add_wait(core::pod&, job const&, task_spec const&, volcano_operator_options const&);

/// Returns the number of ranks in a pod: 1 except for pytorch as designed; absent if it is known at run time only.
std::optional<std::int32_t> processes_of(rank_settings const&);
/// Returns the faults of well-formed values; empty if there are none.
std::string value_fault(job const&, std::string_view plugin);

/// Adds the parts of the plugins to a pod, in the order of their names. The pod already has its name and labels.
void apply_plugins(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_tensorflow(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_pytorch(core::pod&, job const&, task_spec const&, std::int32_t index, volcano_operator_options const&);
void apply_mpi(core::pod&, job const&, task_spec const&, volcano_operator_options const&);
void apply_mxnet(core::pod&, job const&, task_spec const&);
void apply_ray(core::pod&, job const&, task_spec const&);
void apply_hcclrank(core::pod&, job const&, task_spec const&, std::int32_t index);
/// Returns the approximate size in bytes of all environments with names of other pods. It grows with the square of the
/// number of pods.
double environment_bytes(job const&, volcano_operator_options const& = volcano_operator_options());
/// With a larger environment no container could start, or no server would store the pod.
inline constexpr double most_environment_bytes = 2048.0 * 1024 * 1024;
/// Adds a port of this number unless the container has one.
void open_port(core::container&, std::string_view name, std::int64_t number);

/// An object, and the recipes for the content that it still lacks.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// Returns the objects of the plugins, in the order of their names.
std::vector<rendered_object> render_plugin_objects(job const&, volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
