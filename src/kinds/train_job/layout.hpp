#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_LAYOUT_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_LAYOUT_HPP

#include "kinds/train_job/names.hpp"

#include <string>
#include <vector>

namespace kftrain::trainer {

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

/// Of a runtime of either kind; null for other objects.
training_runtime_spec const* spec_of(any_object const& runtime) noexcept;

/// Without the policy of the runtime: what admission looks at.
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

} // namespace kftrain::trainer

#endif
