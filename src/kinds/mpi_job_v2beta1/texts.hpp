#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_TEXTS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_TEXTS_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <vector>

/** The two texts of the config map.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newConfigMap`, `updateDiscoverHostsInConfigMap` */
namespace kftrain::kubeflow_v2beta1 {

/// How the other hosts of the job call the one of this host name: `NAME.JOB.NAMESPACE.svc`, and the domain if there is one.
std::string address_of(mpi_job const&, std::string_view host, mpi_operator_options const&);

/// One line for each host, in the order of the indices; the launcher first, where it works. As the job says, whatever runs.
std::string hostfile(mpi_job const&, mpi_operator_options const&);

/** The script that tells Horovod which hosts run: the launcher, where it works and whether it runs or not, then these workers in
    the order of their names as texts, so that 10 comes before 2. */
std::string discovery_script(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
