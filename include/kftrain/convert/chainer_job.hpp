#ifndef KFTRAIN_CONVERT_CHAINER_JOB_HPP
#define KFTRAIN_CONVERT_CHAINER_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

namespace kftrain::convert {

/** The MPIJob of `kubeflow.org/v2beta1` that trains as this ChainerJob does, as a manifest: its status and what servers wrote into its
    metadata stay behind. The master becomes the launcher, and all worker sets together become the workers; the `worker` of the proposal counts
    where there are no worker sets. Workers are reached by ssh instead of `kubectl exec`, so images that have no sshd will not do.
    The launcher is a host if the command of the master asks for more processes than the workers have slots, or does not say for how many; it is
    then the first host, where the master was the last.
    @par Errors `errc::invalid_job` for a job that its own kind refuses, whose worker sets are not alike, whose workers have no container
    `chainer`, and for one that has no valid counterpart; the path names the field of the source.
    @par Upstream chainer-operator, its last state, `pkg/controllers/`, mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1alpha1::chainer_job const&);

} // namespace kftrain::convert

#endif
