#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_MEMBERS_HPP

#include "kinds/pytorch_job_v1alpha1/names.hpp"

#include <kftrain/job/membership.hpp>

namespace kftrain::kubeflow_v1alpha1::pytorch {

/** Masters, then workers, each with its rank; for valid jobs with defaults. Pod names have unknown suffixes. The host
    of a member is the prefix of its pod's name, which is also its service. The services of workers are numbered by
    index and their pods by rank, so the last worker has no such service. */
membership lay_out(pytorch_job const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
