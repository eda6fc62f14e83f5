#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_RENDER_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_RENDER_HPP

#include "kinds/mpi_job_v2beta1/render/gang.hpp"

#include <kftrain/objects/batch/job.hpp>

#include <string>
#include <vector>

/** The objects of a valid job with defaults, as the operator creates them.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
namespace kftrain::kubeflow_v2beta1 {

/// Without address: gives all pods of the job their names.
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

} // namespace kftrain::kubeflow_v2beta1

#endif
