#ifndef KFTRAIN_SRC_JOB_LINT_TORCHRUN_LINT_HPP
#define KFTRAIN_SRC_JOB_LINT_TORCHRUN_LINT_HPP

#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <string>

/// Options of torchrun that do not fit the job. Upstream: PyTorch 2.5 `torch/distributed/run.py`.
namespace kftrain {

/// Returns why the option `--standalone` keeps the container from meeting the other pods; empty if it does not.
std::string standalone_fault(core::container const&, std::int64_t pods);
/** Returns why the option `--nnodes` of the container does not fit the number of pods; empty if it fits, or if the
    command does not show the number. */
std::string nodes_fault(core::container const&, std::int64_t pods);
/// Returns why the option `--nproc-per-node` does not fit the GPUs of the container; empty if it fits.
std::string processes_fault(core::container const&);

} // namespace kftrain

#endif
