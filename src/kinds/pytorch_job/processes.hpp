#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP

#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::pytorch {

/// The number that `nprocPerNode` states, read as Go's `strconv.Atoi` does; absent for the words auto, cpu and gpu.
std::optional<std::int64_t> stated_processes(pytorch_job const&) noexcept;

} // namespace kftrain::pytorch

#endif
