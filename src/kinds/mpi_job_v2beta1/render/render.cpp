#include "kinds/mpi_job_v2beta1/render/render.hpp"

#include "kinds/mpi_job_v2beta1/render/texts.hpp"

namespace kftrain::kubeflow_v2beta1 {

core::service render_service(mpi_job const& job, mpi_operator_options const& options) {
    core::service s;
    s.metadata = child_metadata(job, job.metadata.name);
    s.spec.cluster_ip = "None";
    s.spec.selector.emplace(label::operator_name, label::own_operator);
    s.spec.selector.emplace(label::job_name, job.metadata.name);
    // A launcher that works is itself one of those whose names must resolve before it can become ready.
    s.spec.publish_not_ready_addresses = launcher_works(job) && options.release >= mpi_operator_release::v0_7_0;
    return s;
}

core::config_map render_config_map(mpi_job const& job, std::vector<std::string> running,
                                   mpi_operator_options const& options) {
    core::config_map c;
    c.metadata = child_metadata(job, config_map_name(job));
    c.data.emplace(hostfile_key, hostfile(job, options));
    c.data.emplace(discovery_key, discovery_script(job, std::move(running), options));
    return c;
}

core::secret render_secret(mpi_job const& job) {
    core::secret s;
    s.metadata = child_metadata(job, secret_name(job));
    s.type = "kubernetes.io/ssh-auth";
    return s;
}

void name_host(core::pod_spec& pod, std::string host, mpi_job const& job) {
    pod.hostname = std::move(host);
    pod.subdomain = job.metadata.name; // the name of the service
    if (pod.host_network) pod.dns_policy = "ClusterFirstWithHostNet";
}

void mount_keys(core::pod_spec& pod, mpi_job const& job) {
    auto const item = [](std::string_view key, std::string path) {
        core::key_to_path i;
        i.key = key;
        i.path = std::move(path);
        return i;
    };
    core::volume v;
    v.name = ssh_volume;
    auto& source = v.secret.emplace();
    source.secret_name = secret_name(job);
    source.items = {item(private_key, "id_rsa"), item(public_key, "id_rsa.pub"), item(public_key, "authorized_keys")};
    // sshd of root insists on it; others could not read the keys then.
    if (job.spec.ssh_auth_mount_path == root_ssh_path) source.default_mode = 0600;
    pod.volumes.push_back(std::move(v));

    core::volume_mount m;
    m.name = ssh_volume;
    m.mount_path = job.spec.ssh_auth_mount_path;
    pod.containers.front().volume_mounts.push_back(std::move(m));
}

} // namespace kftrain::kubeflow_v2beta1
