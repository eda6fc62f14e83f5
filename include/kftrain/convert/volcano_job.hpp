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

/** The Job of Volcano that trains as this PyTorchJob does, as a manifest: its status and what servers wrote into its metadata stay
    behind. Each replica type is a task by its name in lower case, so pods keep their names; the plugins `pytorch` and `svc` tell pods
    their ranks, which are the same. The pods start as a gang, and by policies the job ends when its master does.
    @par Errors `errc::invalid_job` for a job that its own kind refuses, that has no master, and for one that has no valid
    counterpart; the path names the field of the source.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, volcano v1.9.0 `pkg/controllers/job/plugins/` */
result<converted<volcano_job>> to_volcano(pytorch_job const&);

/** The same of a TFJob, with plugin `tensorflow`. It ends with its chief or master, or else with all of its workers. Errors as above;
    a master is not asked for. */
result<converted<volcano_job>> to_volcano(tf_job const&);

/** The same of an XGBoostJob, with plugin `pytorch`, which tells ranks as XGBoost reads them. Variables in the templates name all workers
    and their port. Errors as above; a job with workers and a name that is to be generated is refused. */
result<converted<volcano_job>> to_volcano(xgboost_job const&);

/** The same of a PaddleJob, by variables in its templates. The launcher of the first master, or of the first worker where there are no
    masters, has to be told its own address: if the type has more replicas, these are a second task, `<type>-others`, whose pods have other
    names. It ends with its first master, or else when all workers have. Errors as above; a name that is to be generated is refused. */
result<converted<volcano_job>> to_volcano(paddle_job const&);

/** The same of a JAXJob, by variables in its template. It ends when all workers have. Errors as above; a name that is to be generated is
    refused. */
result<converted<volcano_job>> to_volcano(jax_job const&);

/** The same of an MXJob, by variables in its templates; plugin `mxnet` is in no release. It ends with its scheduler, or with its worker where
    that is alone, or else when all pods have. Errors as above; a name that is to be generated is refused.
    @par Upstream training-operator v1.7.0 `pkg/controller.v1/mxnet/` */
result<converted<volcano_job>> to_volcano(mx_job const&);

/** The same of an MPIJob of `kubeflow.org/v1`, with plugins `ssh` and `mpi`: launcher and workers are a task each, the launcher is created when
    the workers run, and the job ends with it. Workers are reached by ssh instead of `kubectl exec`, so images that have no sshd will not
    do. Hosts are those of the file that plugin `svc` writes, which has the workers only; what is told of slots is for Open MPI. Errors as
    above.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/` */
result<converted<volcano_job>> to_volcano(kubeflow_v1::mpi_job const&);

/** The same of an MPIJob of `kubeflow.org/v2beta1`, whose launcher waits only if the job says so.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
result<converted<volcano_job>> to_volcano(kubeflow_v2beta1::mpi_job const&);

} // namespace kftrain::convert

#endif
