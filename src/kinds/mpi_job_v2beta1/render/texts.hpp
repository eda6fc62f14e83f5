#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_TEXTS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_TEXTS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <vector>

/** The two texts of the config map.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newConfigMap`,
    `updateDiscoverHostsInConfigMap` */
namespace kftrain::kubeflow_v2beta1 {

/// The address of the host with this name for the other hosts of the job: `NAME.JOB.NAMESPACE.svc`, and the domain if
/// there is one.
std::string address_of(mpi_job const&, std::string_view host, mpi_operator_options const&);

/// One line for each host of the spec, running or not, in the order of the indices. A launcher that is a host is the
/// first.
std::string hostfile(mpi_job const&, mpi_operator_options const&);

/** The script that prints the running hosts for Horovod: the launcher if it is a host, running or not, then these
    workers in the order of their names as texts, so that 10 comes before 2. */
std::string discovery_script(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
