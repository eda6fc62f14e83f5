#ifndef KFTRAIN_CONVERT_MX_JOB_HPP
#define KFTRAIN_CONVERT_MX_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/model/document.hpp>

namespace kftrain::convert {

/** Returns whether a document is an MXJob in one of the forms of mxnet-operator: `kubeflow.org/v1alpha1`,
    `v1alpha2`, `v1beta1`, or `kubeflow.org/v1` with `cleanPodPolicy`, `ttlSecondsAfterFinished`,
    `activeDeadlineSeconds`, `backoffLimit` or `schedulingPolicy` directly in the spec. Current jobs of the latter
    apiVersion have them in `runPolicy`. A job with none of them is the same in both forms and counts as current,
    although mxnet-operator deleted pods at its end and the current operator keeps them.
    @par Errors those of decode_yaml(); other documents are not old. */
[[nodiscard]] result<bool> is_old_mx_job(document);

/** Reads such a document as a current MXJob, without its status and without the metadata that servers set.
    @par Errors those of decode_yaml(); `errc::duplicate_field`; `errc::wrong_kind` for another document;
    `errc::invalid_job` for a job that its operator rejected, that mixes the forms, or that has no valid counterpart;
    the path refers to the field of the source.
    @par Upstream mxnet-operator v0.1.0 `pkg/apis/mxnet/v1beta1/types.go`, v1.1.0 `pkg/apis/mxnet/v1/types.go`;
    before v0.1.0 `pkg/apis/mxnet/v1alpha{1,2}/types.go`, `pkg/trainer/` */
[[nodiscard]] result<converted<mx_job>> read_old_mx_job(document);

} // namespace kftrain::convert

#endif
