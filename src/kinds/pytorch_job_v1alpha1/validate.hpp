#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_VALIDATE_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_VALIDATE_HPP

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

/** @file
    The two times at which upstream looks: when it sets a job up, and when it makes its sets. Its texts are the messages of the
    issues, the first of which is reported.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/validation/validation.go`, `pkg/trainer/replicas.go` */

namespace kftrain::kubeflow_v1alpha1::pytorch {

/// Of a spec with defaults. The status begins with `invalid job spec: `.
issues spec_faults(pytorch_job_spec const&);
/// Of a spec as it is stored, with defaults or not. The status begins with `Could not create in memory datastructures; `.
issues set_faults(pytorch_job_spec const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
