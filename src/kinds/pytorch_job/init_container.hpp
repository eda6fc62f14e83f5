#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_INIT_CONTAINER_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_INIT_CONTAINER_HPP

#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::kubeflow_v1::pytorch {

/// The containers in which workers wait for the master's name.
std::vector<core::container> init_containers(pytorch_operator_options const&, std::string_view master);

} // namespace kftrain::kubeflow_v1::pytorch

#endif
