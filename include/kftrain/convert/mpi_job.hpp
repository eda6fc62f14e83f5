#ifndef KFTRAIN_CONVERT_MPI_JOB_HPP
#define KFTRAIN_CONVERT_MPI_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

namespace kftrain::convert {

/** Returns an MPIJob of `kubeflow.org/v2beta1` that trains like this one of `kubeflow.org/v1`, as a manifest:
    without its status and without the metadata that servers set. The operators have different defaults; where these
    differ, the result contains the default of the source for an absent field. The launcher reaches workers by ssh
    instead of `kubectl exec`, so images need sshd.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, or that has no valid counterpart; the path
    refers to the field of the source.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/`, mpi-operator v0.8.0
    `pkg/controller/mpi_job_controller.go` */
[[nodiscard]] result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1::mpi_job const&);

/// The opposite direction: the launcher reaches workers by `kubectl exec` and needs no keys. Errors as above.
[[nodiscard]] result<converted<kubeflow_v1::mpi_job>> to_v1(kubeflow_v2beta1::mpi_job const&);

} // namespace kftrain::convert

#endif
