#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_VALIDATE_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_VALIDATE_HPP

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

// Upstream validates twice: when it sets up a job, and when it creates the sets. Its texts are the messages of the
// issues; it reports the first one.
namespace kftrain::kubeflow_v1alpha1::pytorch {

/** Checks a spec with defaults. The status begins with `invalid job spec: `.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/validation/validation.go` */
issues spec_faults(pytorch_job_spec const&);
/** Checks a stored spec, with or without defaults. The status begins with `Could not create in memory datastructures;
    `.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/replicas.go` */
issues set_faults(pytorch_job_spec const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
