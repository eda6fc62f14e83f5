#ifndef KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP
#define KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/job/v1/job_builder.hpp>

namespace kftrain::detail {

/// The spec of a replica type as the builder of its kind was told.
kubeflow_v1::replica_spec make_replicas(std::string_view training_container, pod_choices const& common,
                                        replica_choices const&);
/// What builders refuse beyond admission and lint: texts of a pod that are no quantities. `path` is that of the pod's spec.
void check_built(core::pod_spec const&, std::string const& path, issues&);
/// The same of all replica types.
void check_built(kubeflow_v1::replica_job const&, issues&);

} // namespace kftrain::detail

#endif
