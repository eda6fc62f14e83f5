#include "kinds/mpi_job_v2beta1/render/render.hpp"

#include "model/rules/namespace_of.hpp"

namespace kftrain::kubeflow_v2beta1 {

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newWorker`.
core::pod render_worker(mpi_job const& job, std::int32_t index, mpi_operator_options const& options) {
    auto const& replicas = *spec_of(job, worker_type);
    core::pod_template_spec pod = replicas.template_;
    for (auto& [key, value] : role_labels(job, worker_role)) pod.metadata.labels[key] = value;
    pod.metadata.labels[std::string(label::replica_index)] = index_label(job, index, options);
    name_host(pod.spec, worker_name(job, index), job);
    if (!pod.spec.dns_config) pod.spec.dns_config.emplace();
    // Workers of Intel MPI and MPICH call the launcher by its bare name. Whatever the domain of the cluster.
    pod.spec.dns_config->searches.push_back(job.metadata.name + "." + namespace_of(job.metadata) +
                                            ".svc.cluster.local");
    pod.spec.restart_policy = replicas.restart_policy;
    auto& main = pod.spec.containers.front();
    if (main.command.empty() && main.args.empty()) main.command = {"/usr/sbin/sshd", "-De"};
    main.env.emplace_back("K_MPI_JOB_ROLE", "worker");
    mount_keys(pod.spec, job);
    join_gang(pod, job, options);

    core::pod p;
    p.metadata.name = worker_name(job, index);
    p.metadata.namespace_ = job.metadata.namespace_;
    p.metadata.labels = std::move(pod.metadata.labels);
    p.metadata.annotations = std::move(pod.metadata.annotations);
    p.metadata.owner_references.push_back(controller_reference(job));
    p.spec = std::move(pod.spec);
    return p;
}

} // namespace kftrain::kubeflow_v2beta1
