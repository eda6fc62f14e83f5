#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V1_CHILDREN_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V1_CHILDREN_HPP

#include "kinds/mpi_job_v1/kind.hpp"

#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

namespace kftrain::kubeflow_v1::mpi {

// The children of an MPIJob other than its pods. Upstream: training-operator v1.9.0
// `pkg/controller.v1/mpi/mpijob_controller.go`.

core::service_account render_account(mpi_kind const&);
/// `running`: names of the workers that run.
core::config_map render_config(mpi_kind const&, std::vector<std::string> running);
/// Allows the launcher to read pods, and to start processes in the workers. Without workers it names no pods, and thus
/// covers all of the namespace.
rbac::role render_role(mpi_kind const&);
rbac::role_binding render_binding(mpi_kind const&);

/** Plans the changes to the members of a job with defaults, and counts them into the status. Returns false if an object
    is in the way.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `ReconcilePods` */
bool reconcile_members(prepared_job const&, mpi_kind const& job, observed const&, gang_scheduler const&, job_status&,
                       rules::plan_writer&);

// The texts of the config map.

/** One line for each host of the spec, running or not, in the order of the indices. A launcher that is a host is the
    first.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newConfigMap` */
std::string hostfile(mpi_kind const&);

/** The script that mpirun starts instead of ssh: runs its arguments after the first in a container of the pod that the
    first names.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newConfigMap` */
std::string kubexec_script(mpi_kind const&);

/** The script that prints the running hosts and their slots for Horovod: the launcher if it is a host, running or not,
    then these workers in the order of their names as texts, so that 10 comes before 2.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`,
    `updateDiscoverHostsInConfigMap` */
std::string discovery_script(mpi_kind const&, std::vector<std::string> running);

} // namespace kftrain::kubeflow_v1::mpi

#endif
