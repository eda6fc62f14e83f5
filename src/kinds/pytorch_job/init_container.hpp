#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_INIT_CONTAINER_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_INIT_CONTAINER_HPP

#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::pytorch {

/// The containers in which workers wait for the master's name.
std::vector<container> init_containers(pytorch_operator_options const&, std::string_view master);

} // namespace kftrain::pytorch

#endif
