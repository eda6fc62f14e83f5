#ifndef KFTRAIN_CONVERT_MPI_JOB_HPP
#define KFTRAIN_CONVERT_MPI_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

namespace kftrain::convert {

/** The MPIJob of `kubeflow.org/v2beta1` that trains as this one of `kubeflow.org/v1` does, as a manifest: its status and what
    servers wrote into its metadata stay behind. Both operators fill in other defaults; where these differ, the result says
    what the source meant by leaving a field out. Workers are reached by ssh instead of `kubectl exec`, so images that have no
    sshd will not do.
    @par Errors `errc::invalid_job` for a job that its own kind refuses, and for one that has no valid counterpart; the path names
    the field of the source.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/`, mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1::mpi_job const&);

/** The other way round: workers are reached by `kubectl exec`, and need no keys. Errors as above. */
result<converted<kubeflow_v1::mpi_job>> to_v1(kubeflow_v2beta1::mpi_job const&);

} // namespace kftrain::convert

#endif
