#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_POD_PARTS_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_POD_PARTS_HPP

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Pod templates as the fields of a TrainJob, for its builder and for conversions.
namespace kftrain::trainer {

/// Where a TrainJob has a field of a pod template.
enum class pod_field_place : std::uint8_t {
    trainer, ///< in `spec.trainer`
    patch,   ///< in a patch of the pods
    nowhere, ///< in the runtime only
};

/// A field of a pod template.
struct pod_field {
    pod_field() = default;

    std::string path;  ///< in the pod template, e.g. `spec.containers[0].image`
    std::string value; ///< as JSON
    pod_field_place place = pod_field_place::nowhere;
    std::string result_path; ///< within `spec.trainer` or within the patch of the pod template; empty if nowhere
};

/// A pod template, divided into what a TrainJob can set and the rest.
struct pod_parts {
    pod_parts() = default;

    job_trainer trainer;           ///< image, command, arguments, variables and resources of the container
    pod_template_patch patch;      ///< everything else that a patch can set, of the container `node`
    std::vector<pod_field> fields; ///< every field of the template with a value, except the name of the container

    bool is_patched() const noexcept {
        return patch.spec || !patch.metadata.labels.empty() || !patch.metadata.annotations.empty();
    }
};

/** Divides a pod template. `container` is the index of the container that becomes `node` of the runtime; an index
    without a container leaves the trainer empty.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/apis/trainer/v1alpha1/trainjob_types.go`, `PodSpecPatch` */
pod_parts divide_pod(core::pod_template_spec const&, std::size_t container);

/// Appends changes of the pods of a Job of the runtime to the patch of kftrain; returns the path of the pod template.
std::string add_patch(train_job_spec&, std::string_view job, pod_template_patch);

/// Sets the runtime of the job to the installed ClusterTrainingRuntime to which it refers, if there is one.
void resolve_installed(train_job&);

} // namespace kftrain::trainer

#endif
