#ifndef KFTRAIN_CONVERT_PYTORCH_JOB_HPP
#define KFTRAIN_CONVERT_PYTORCH_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

namespace kftrain::convert {

/** Returns a PyTorchJob of `kubeflow.org/v1` that trains like this one of `kubeflow.org/v1alpha1`, in either
    spelling of its replica types, as a manifest: without its status and without the metadata that servers set. Ranks
    are the same.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, that has two sets of one type or no MASTER,
    or that has no valid counterpart; the path refers to the field of the source.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/`, training-operator v1.9.0 `pkg/controller.v1/pytorch/` */
[[nodiscard]] result<converted<pytorch_job>> to_v1(kubeflow_v1alpha1::pytorch_job const&);

} // namespace kftrain::convert

#endif
