#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_NAMES_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_NAMES_HPP

#include <kftrain/job/lint.hpp>
#include <kftrain/kinds/train_job.hpp>

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
/// Metadata of an object that the job controls.
object_meta child_metadata(train_job const&, std::string name);

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

} // namespace kftrain::trainer

#endif
