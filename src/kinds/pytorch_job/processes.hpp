#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP

#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::kubeflow_v1::pytorch {

/** The number in a text as the operator reads it with Go's `strconv.Atoi`: decimal digits after at most one sign,
    within 64 bits. Empty for anything else. torchrun's `int()` reads the same number from all of these.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`, `getNprocPerNodeInt` */
std::optional<std::int64_t> process_count(std::string_view text) noexcept;

/// The number that `nprocPerNode` states; absent for the words auto, cpu and gpu, and when it states nothing.
std::optional<std::int64_t> stated_processes(pytorch_job const&) noexcept;

} // namespace kftrain::kubeflow_v1::pytorch

#endif
