#ifndef KFTRAIN_CONVERT_CHAINER_JOB_HPP
#define KFTRAIN_CONVERT_CHAINER_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

namespace kftrain::convert {

/** Returns an MPIJob of `kubeflow.org/v2beta1` that trains like this ChainerJob, as a manifest: without its status
    and without the metadata that servers set. The master becomes the launcher, and all worker sets together become
    the workers; if there are no worker sets, the `worker` of the proposal is used. The launcher reaches workers by
    ssh instead of `kubectl exec`, so images need sshd. The launcher is a host if the command of the master requests
    more processes than the workers have slots, or does not specify the number; it is then the first host, while the
    master was the last.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, whose worker sets differ, whose workers have
    no container `chainer`, or that has no valid counterpart; the path refers to the field of the source.
    @par Upstream chainer-operator, its last state, `pkg/controllers/`, mpi-operator v0.8.0
    `pkg/controller/mpi_job_controller.go` */
[[nodiscard]] result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1alpha1::chainer_job const&);

} // namespace kftrain::convert

#endif
