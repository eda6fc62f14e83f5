#ifndef KFTRAIN_CONVERT_PYTORCH_JOB_HPP
#define KFTRAIN_CONVERT_PYTORCH_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>
#include <kftrain/model/document.hpp>

namespace kftrain::convert {

/** Returns whether a document is a PyTorchJob in one of the two forms of pytorch-operator with a map of replicas:
    `kubeflow.org/v1alpha2`, or `kubeflow.org/v1` with `cleanPodPolicy`, `ttlSecondsAfterFinished`,
    `activeDeadlineSeconds` or `backoffLimit` directly in the spec. Current jobs of the latter apiVersion have them
    in `runPolicy`. A job with none of them is the same in both forms and counts as current.
    @par Errors those of decode_yaml(); other documents are not old. */
[[nodiscard]] result<bool> is_old_pytorch_job(document);

/** Reads such a document as a current PyTorchJob, without its status and without the metadata that servers set.
    @par Errors those of decode_yaml(); `errc::duplicate_field`; `errc::wrong_kind` for another document;
    `errc::invalid_job` for a job that its operator rejected, that mixes the forms, or that has no valid counterpart;
    the path refers to the field of the source.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha2/types.go`, v0.7.0 `pkg/apis/pytorch/v1/types.go` */
[[nodiscard]] result<converted<pytorch_job>> read_old_pytorch_job(document);

/** Returns a PyTorchJob of `kubeflow.org/v1` that trains like this one of `kubeflow.org/v1alpha1`, in either
    spelling of its replica types, as a manifest: without its status and without the metadata that servers set. Ranks
    are the same.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, that has two sets of one type or no MASTER,
    or that has no valid counterpart; the path refers to the field of the source.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/`, training-operator v1.9.0 `pkg/controller.v1/pytorch/` */
[[nodiscard]] result<converted<pytorch_job>> to_v1(kubeflow_v1alpha1::pytorch_job const&);

} // namespace kftrain::convert

#endif
