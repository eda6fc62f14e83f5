#ifndef KFTRAIN_CONVERT_TRAIN_JOB_HPP
#define KFTRAIN_CONVERT_TRAIN_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/train_job.hpp>

namespace kftrain::convert {

/** Returns a TrainJob of the ClusterTrainingRuntime `torch-distributed` that trains like this PyTorchJob, as a
    manifest: without its status and without the metadata that servers set. All pods are nodes with one template, that
    of the master, or of the workers if there is no master. The container becomes `spec.trainer`; other fields of the
    pods become a patch of the runtime. Fields that only a runtime can have are dropped and reported, as are differences
    of the workers, the elastic policy, and most of the run policy. Pods receive the variables `PET_...` of torchrun,
    not `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT`. train_job::runtime of the result is the installed one.
    @par Errors `errc::invalid_job` for a job that its own kind rejects, or that has no valid counterpart; the path
    refers to the field of the source.
    @par Upstream the guide "Migrating to Kubeflow Trainer v2" of the Kubeflow documentation,
    `docs/components/trainer/operator-guides/migration`; training-operator v1.9.0 `pkg/controller.v1/pytorch/`;
    kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/torch/` */
[[nodiscard]] result<converted<train_job>> to_train_job(pytorch_job const&);

/** Returns a TrainJob of the runtime `deepspeed-distributed` that trains like this MPIJob. The launcher of the runtime
    is a host, so the number of nodes is the number of workers plus one. The container of the launcher becomes
    `spec.trainer`, with the resources of the workers. Workers have image and command of the runtime. Other fields of
    the pods become patches of the Jobs `launcher` and `node`.
    @par Errors `errc::invalid_job`, also for an implementation other than Open MPI.
    @par Upstream the same guide; mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`; kubeflow/trainer v2.3.0
    `pkg/runtime/framework/plugins/mpi/` */
[[nodiscard]] result<converted<train_job>> to_train_job(kubeflow_v2beta1::mpi_job const&);

} // namespace kftrain::convert

#endif
