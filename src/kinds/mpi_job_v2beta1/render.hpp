#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_HPP

#include "kinds/mpi_job_v2beta1/gang.hpp"
#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/recipe.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <string>
#include <vector>

namespace kftrain::kubeflow_v2beta1 {

// The two texts of the config map.

/// The address of the host with this name for the other hosts of the job: `NAME.JOB.NAMESPACE.svc`, and the domain if
/// there is one.
std::string address_of(mpi_job const&, std::string_view host, mpi_operator_options const&);

/** One line for each host of the spec, running or not, in the order of the indices. A launcher that is a host is the
    first.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newConfigMap` */
std::string hostfile(mpi_job const&, mpi_operator_options const&);

/** The script that prints the running hosts for Horovod: the launcher if it is a host, running or not, then these
    workers in the order of their names as texts, so that 10 comes before 2.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `updateDiscoverHostsInConfigMap` */
std::string discovery_script(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);

// The objects of a valid job with defaults, as the operator creates them.

/// Without address: gives all pods of the job their names
core::service render_service(mpi_job const&, mpi_operator_options const&);
/// `running`: names of the workers that run.
core::config_map render_config_map(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);
/// Without the keys.
core::secret render_secret(mpi_job const&);
core::pod render_worker(mpi_job const&, std::int32_t index, mpi_operator_options const&);
core::pod_template_spec render_launcher_template(mpi_job const&, mpi_operator_options const&);
batch::job render_launcher(mpi_job const&, mpi_operator_options const&);

/// The common parts of workers and launcher, in this order: the volume with the keys, and its mount.
void mount_keys(core::pod_spec&, mpi_job const&);
/// Host name, subdomain and, on the network of the host, the policy by which names are resolved.
void name_host(core::pod_spec&, std::string host, mpi_job const&);

/// A pair of keys for a secret as render_secret() makes it.
rules::recipe ssh_recipe();

/// An object, and what is still to be made of it.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/** All of them in the order of their creation, for a job of which nothing runs yet.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
std::vector<rendered_object> render(mpi_job const&, priority_map const&, mpi_operator_options const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
