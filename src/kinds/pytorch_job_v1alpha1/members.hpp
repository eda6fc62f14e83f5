#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_MEMBERS_HPP

#include "kinds/pytorch_job_v1alpha1/names.hpp"

#include <kftrain/job/membership.hpp>

namespace kftrain::kubeflow_v1alpha1::pytorch {

/** Masters, then workers, each with its rank; of valid jobs with defaults. Nobody knows the ends of the names of pods. The host of a
    member is what its pod's name begins with, which is also the service that leads to it: workers are counted by ranks there, so
    that the last one has no such service. */
membership lay_out(pytorch_job const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
