#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_KIND_HPP

#include "job/contract/child_metadata.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/schema.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::trainer {

/** Names of objects, Jobs and containers.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/constants/constants.go` */

inline constexpr std::string_view group = "trainer.kubeflow.org";
inline constexpr std::string_view own_manager = "trainer.kubeflow.org/trainjob-controller";
inline constexpr std::string_view ancestor_label = "trainer.kubeflow.org/trainjob-ancestor-step";
inline constexpr std::string_view support_label = "trainer.kubeflow.org/support";
inline constexpr std::string_view queue_annotation = "scheduling.volcano.sh/queue-name";

inline constexpr std::string_view trainer_step = "trainer";             ///< ancestor of the Job that trains
inline constexpr std::string_view node = "node";                        ///< its container; also a Job of MPI
inline constexpr std::string_view launcher = "launcher";                ///< the Job that runs mpirun
inline constexpr std::string_view dataset_step = "dataset-initializer"; ///< ancestor, Job and container
inline constexpr std::string_view model_step = "model-initializer";     ///< ancestor, Job and container
inline constexpr std::string_view shared_volume = "initializer";        ///< volume of the initializers
inline constexpr std::string_view index_path = "metadata.annotations['batch.kubernetes.io/job-completion-index']";
inline constexpr std::int32_t port = 29500;

/// Pods of a job in all. The operator has no limit.
inline constexpr std::int32_t most_pods = 100'000;

inline constexpr std::string_view private_key = "ssh-privatekey";
inline constexpr std::string_view public_key = "ssh-publickey";

std::string snapshot_name(train_job const&);
std::string ssh_secret_name(train_job const&);
std::string hostfile_name(train_job const&);
/// `<job>-node-0-0.<job>`, whatever the Job of the template and the service are called.
std::string main_address(train_job const&);

bool is_suspended(train_job const&) noexcept;
/// Whether it refers to a TrainingRuntime of its namespace.
bool has_own_runtime(train_job const&) noexcept;
/// Whether the kind of the runtime is known.
bool has_known_runtime(train_job const&) noexcept;

/// The first with this name, or null.
template <class List> auto* find_named(List& list, std::string_view name) noexcept {
    for (auto& item : list)
        if (item.name == name) return &item;
    return static_cast<decltype(list.data())>(nullptr);
}

/// Appends likely mistakes that admission accepts. Without a runtime, only those that the job alone shows.
void lint(train_job const&, any_object const& runtime, issues& found);
std::span<lint_rule const> lint_rules() noexcept;

/// The pods of one Job of the template. Containers and volumes are copies, which the policy changes.
struct pod_set {
    pod_set() = default;

    std::string name;                             ///< of the entry of the template
    std::string ancestor;                         ///< the step that it performs; empty: none
    std::int32_t count = 1;                       ///< number of pods
    std::vector<core::volume> volumes;            ///< of its pods
    std::vector<core::container> containers;      ///< in the order of the template
    std::vector<core::container> init_containers; ///< in the order of the template
    resource_list requests;                       ///< of one pod
    bool has_job_env = false;                     ///< whether `node` gets the variables of the job
};

/** A job and its runtime: the template with the patches of the job, and its pods after the policy.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/runtime/core/trainingruntime.go`, `pkg/runtime/runtime.go` */
struct layout {
    layout() = default;

    jobset::job_set_spec spec;        ///< the template with the patches
    string_map labels, annotations;   ///< of the JobSet
    std::vector<pod_set> sets;        ///< one for each entry of the template
    string_map pod_labels;            ///< of all pods
    string_map pod_annotations;       ///< of all pods
    std::vector<std::string> command; ///< of the trainer, as the policy changes it
    std::int32_t slots = 1;           ///< of a host of MPI
    std::string fault;                ///< why there can be no JobSet; empty: there is one
    errc fault_code = errc::invalid_argument;

    pod_set* find(std::string_view name) noexcept;
    pod_set const* find(std::string_view name) const noexcept { return const_cast<layout*>(this)->find(name); }
    pod_set* find_step(std::string_view ancestor) noexcept;
    pod_set const* find_step(std::string_view ancestor) const noexcept {
        return const_cast<layout*>(this)->find_step(ancestor);
    }
    /// A container of this Job, or an init container; null if there is none.
    core::container* find_container(std::string_view job, std::string_view container) noexcept;
    core::container const* find_container(std::string_view job, std::string_view container) const noexcept {
        return const_cast<layout*>(this)->find_container(job, container);
    }
};

/// The spec of a runtime of either kind; null for other objects.
training_runtime_spec const* spec_of(any_object const& runtime) noexcept;

/// Without the policy of the runtime, as admission examines a job.
layout lay_out_template(train_job const&, training_runtime_spec const&);
/// With the policy of the runtime.
layout lay_out_runtime(train_job const&, training_runtime_spec const&);

/// Whether there are more pods than `most_pods`.
bool has_too_many_pods(layout const&) noexcept;
/// The resources by which processes are counted: those of the job alone, or those of the runtime.
core::resource_requirements counted_resources(train_job const&, layout const&);
/// The number of GPUs among them; 0 if there are none.
std::int64_t gpu_count(core::resource_requirements const&);
/// Requests of a pod as a scheduler counts them.
resource_list pod_requests(core::pod_spec const&);

// Policies. Each sets the numbers of pods and what containers need.
void apply_torch(layout&, train_job const&, torch_policy const&);
void apply_mpi(layout&, train_job const&, mpi_policy const&);
void apply_jax(layout&, train_job const&);
void apply_xgboost(layout&, train_job const&);
void apply_plain(layout&, train_job const&);

/// Variables as the operator copies them from a job: without API versions and sources that it does not know.
std::vector<core::env_var> copied_env(std::vector<core::env_var> const&);
/// Replaces the variables of these names, and appends the others.
void set_env(std::vector<core::env_var>&, std::vector<core::env_var> const&);
/// A variable with the completion index of the pod.
core::env_var index_variable(std::string_view name);
/// Replaces the first port of this number or name, or appends it.
void set_port(std::vector<core::container_port>&, core::container_port const&);
/// Opens the port of the rendezvous.
void open_rendezvous_port(core::container&);
/// Replaces the volume of this name, or appends it.
void set_volume(std::vector<core::volume>&, core::volume const&);
/// Replaces the mount at this path, or appends it.
void set_mount(std::vector<core::volume_mount>&, core::volume_mount const&);

// The objects that the operator applies for a job.
// Upstream: kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/`

/// Expects a layout without a fault.
jobset::job_set render_job_set(train_job const&, layout const&);
/// `runtime` is the TrainingRuntime or ClusterTrainingRuntime as it is stored.
core::config_map render_snapshot(train_job const&, any_object const& runtime);
/// Without the keys, which the recipe makes.
core::secret render_ssh_secret(train_job const&);
rules::recipe ssh_recipe();
core::config_map render_hostfile(train_job const&, layout const&, mpi_policy const&);
/// The pod of a member as the controllers of JobSets and Jobs create it, with its index; empty without the runtime.
core::pod render_pod(train_job const&, member const&);
/// Empty if the runtime has no gang.
any_object render_pod_group(train_job const&, layout const&, pod_group_policy const&);

// Fine-tuning with the program `tune` of TorchTune.
// Upstream: kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/torch/torchtune.go`

/// Whether the command of a job is exactly `tune run`.
bool runs_torchtune(job_trainer const&);
/// `llama3_2/1B` for the runtime `torchtune-llama3.2-1b`; empty for names of another form.
std::string model_of_runtime(std::string_view runtime);
bool is_supported_model(std::string_view model) noexcept;
/// Whether the runtime alone sets the value of `key=value`.
bool is_set_by_runtime(std::string_view argument);

bool uses_lora(std::vector<std::string> const& args);
bool uses_qlora(std::vector<std::string> const& args);

/// A recipe of TorchTune and its configuration.
struct recipe_choice {
    recipe_choice() = default;
    recipe_choice(std::string_view r, std::string_view s) : recipe(r), suffix(s) {}

    std::string_view recipe; ///< e.g. `full_finetune_distributed`
    std::string_view suffix; ///< follows the model in the name of the configuration
};

/// `processes`: per node; absent: torchrun counts the GPUs.
recipe_choice choose_recipe(std::int32_t nodes, std::optional<std::int32_t> processes, std::int64_t gpus,
                            std::vector<std::string> const& args);

/// Names of what is watched.
namespace row {
inline constexpr std::string_view job_sets = "job sets";
inline constexpr std::string_view config_maps = "config maps";
inline constexpr std::string_view secrets = "secrets";
inline constexpr std::string_view gangs = "pod groups";
inline constexpr std::string_view runtimes = "runtimes";
} // namespace row

/// The objects that the operator watches.
std::vector<rules::watched> watched_rows();
/** The next plan for a stored job.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/controller/trainjob_controller.go` */
rules::plan make_plan(rules::job_look<train_job> const&);

} // namespace kftrain::trainer

#endif
