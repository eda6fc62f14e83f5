#ifndef KFTRAIN_CONVERT_VOLCANO_JOB_HPP
#define KFTRAIN_CONVERT_VOLCANO_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::convert {

/** Returns a Volcano Job that trains like this PyTorchJob, as a manifest: without its status and without the
    metadata that servers set. Each replica type becomes a task with its name in lower case, so pods keep their
    names; the plugins `pytorch` and `svc` pass the same ranks to the pods. The pods start as a gang, and policies
    end the job when its master ends.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, that has no master, or that has no valid
    counterpart; the path refers to the field of the source.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, volcano v1.9.0
    `pkg/controllers/job/plugins/` */
[[nodiscard]] result<converted<volcano_job>> to_volcano(pytorch_job const&);

/** The same for a TFJob, with plugin `tensorflow`. It ends with its chief or master, or otherwise with all of its
    workers. Errors as above; a master is not required. */
[[nodiscard]] result<converted<volcano_job>> to_volcano(tf_job const&);

/** The same for an XGBoostJob, with plugin `pytorch`, whose rank variables XGBoost reads. Variables in the templates
    contain all workers and their port. Errors as above; a job with workers and a generated name is rejected. */
[[nodiscard]] result<converted<volcano_job>> to_volcano(xgboost_job const&);

/** The same for a PaddleJob, by variables in its templates. The launcher of the first master, or of the first worker
    if there are no masters, needs its own address: if the type has more replicas, these become a second task,
    `<type>-others`, whose pods have other names. It ends with its first master, or otherwise when all workers have
    ended. Errors as above; a generated name is rejected. */
[[nodiscard]] result<converted<volcano_job>> to_volcano(paddle_job const&);

/** The same for a JAXJob, by variables in its template. It ends when all workers have ended. Errors as above; a
    generated name is rejected. */
[[nodiscard]] result<converted<volcano_job>> to_volcano(jax_job const&);

/** The same for an MXJob, by variables in its templates; no release has a plugin `mxnet`. It ends with its
    scheduler, with its worker if that is alone, or otherwise when all pods have ended. Errors as above; a generated
    name is rejected.
    @par Upstream training-operator v1.7.0 `pkg/controller.v1/mxnet/` */
[[nodiscard]] result<converted<volcano_job>> to_volcano(mx_job const&);

/** The same for an MPIJob of `kubeflow.org/v1`, with plugins `ssh` and `mpi`: launcher and workers become one task
    each, the launcher is created when the workers run, and the job ends with it. The launcher reaches workers by ssh
    instead of `kubectl exec`, so images need sshd. Hosts are those of the file that plugin `svc` writes, which has
    only the workers; the settings of slots are for Open MPI. Errors as above.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/` */
[[nodiscard]] result<converted<volcano_job>> to_volcano(kubeflow_v1::mpi_job const&);

/** The same for an MPIJob of `kubeflow.org/v2beta1`, whose launcher waits only if the job requests it.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
[[nodiscard]] result<converted<volcano_job>> to_volcano(kubeflow_v2beta1::mpi_job const&);

} // namespace kftrain::convert

#endif
