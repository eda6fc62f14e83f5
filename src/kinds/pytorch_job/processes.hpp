#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_PROCESSES_HPP

#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::kubeflow_v1::pytorch {

/** The number that a text states as the operator reads it, with Go's `strconv.Atoi`: decimal digits behind at most one sign,
    within 64 bits. Absent for anything else. torchrun's `int()` takes all of these, too, to the same number.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`, `getNprocPerNodeInt` */
std::optional<std::int64_t> process_count(std::string_view text) noexcept;

/// The number that `nprocPerNode` states; absent for the words auto, cpu and gpu, and when it states nothing.
std::optional<std::int64_t> stated_processes(pytorch_job const&) noexcept;

} // namespace kftrain::kubeflow_v1::pytorch

#endif
