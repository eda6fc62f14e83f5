#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V1_CHILDREN_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V1_CHILDREN_HPP

#include "kinds/mpi_job_v1/kind.hpp"

#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

/** The children of an MPIJob other than its pods.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go` */
namespace kftrain::kubeflow_v1::mpi {

core::service_account render_account(mpi_kind const&);
/// `running`: names of the workers that run.
core::config_map render_config(mpi_kind const&, std::vector<std::string> running);
/// Allows the launcher to read pods, and to start processes in the workers. Without workers it names no pods, and thus
/// covers all of the namespace.
rbac::role render_role(mpi_kind const&);
rbac::role_binding render_binding(mpi_kind const&);

} // namespace kftrain::kubeflow_v1::mpi

#endif
