#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V1_TEXTS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V1_TEXTS_HPP

#include "kinds/mpi_job_v1/kind.hpp"

/** The texts of the config map.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newConfigMap`,
    `updateDiscoverHostsInConfigMap` */
namespace kftrain::kubeflow_v1::mpi {

/// One line for each host, in the order of the indices; the launcher first, where it works. As the job says, whatever runs.
std::string hostfile(mpi_kind const&);

/// What mpirun starts instead of ssh: runs its arguments but the first, which names a pod, in a container of that pod.
std::string kubexec_script(mpi_kind const&);

/** The script that tells Horovod which hosts run, with their slots: the launcher, where it works and whether it runs or not, then
    these workers in the order of their names as texts, so that 10 comes before 2. */
std::string discovery_script(mpi_kind const&, std::vector<std::string> running);

} // namespace kftrain::kubeflow_v1::mpi

#endif
