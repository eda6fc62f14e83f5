#include "kinds/mpi_job_v2beta1/kind.hpp"

#include "job/contract/child_metadata.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {

std::string address_of(mpi_job const& job, std::string_view host, mpi_operator_options const& options) {
    std::string address(host);
    address.append(".").append(job.metadata.name).append(".").append(namespace_of(job.metadata)).append(".svc");
    if (!options.cluster_domain.empty() && options.release >= mpi_operator_release::v0_7_0)
        address.append(".").append(options.cluster_domain);
    return address;
}

std::string hostfile(mpi_job const& job, mpi_operator_options const& options) {
    std::string_view const separator = job.spec.mpi_implementation == open_mpi ? " slots=" : ":";
    std::string const slots = std::to_string(slots_of(job));
    std::string text;
    auto const add = [&](std::string_view host) {
        text.append(address_of(job, host, options)).append(separator).append(slots).append("\n");
    };
    if (launcher_works(job)) add(launcher_name(job));
    for (std::int32_t i = 0; i < worker_count(job); ++i) add(worker_name(job, i));
    return text;
}

std::string discovery_script(mpi_job const& job, std::vector<std::string> running,
                             mpi_operator_options const& options) {
    std::ranges::sort(running);
    std::string text = "#!/bin/sh\n";
    auto const add = [&](std::string_view host) {
        text.append("echo ").append(address_of(job, host, options)).append("\n");
    };
    if (launcher_works(job)) add(launcher_name(job));
    for (auto const& host : running) add(host);
    return text;
}

core::service render_service(mpi_job const& job, mpi_operator_options const& options) {
    core::service s;
    s.metadata = child_metadata(job, job.metadata.name);
    s.spec.cluster_ip = "None";
    s.spec.selector.emplace(label::operator_name, label::own_operator);
    s.spec.selector.emplace(label::job_name, job.metadata.name);
    // The name of a launcher that works must resolve, too, before it can become ready.
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
    // sshd of root requires it; other users could not read the keys with this mode.
    if (job.spec.ssh_auth_mount_path == root_ssh_path) source.default_mode = 0600;
    pod.volumes.push_back(std::move(v));

    core::volume_mount m;
    m.name = ssh_volume;
    m.mount_path = job.spec.ssh_auth_mount_path;
    pod.containers.front().volume_mounts.push_back(std::move(m));
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newWorker`.
core::pod render_worker(mpi_job const& job, std::int32_t index, mpi_operator_options const& options) {
    auto const& replicas = *spec_of(job, worker_type);
    core::pod_template_spec pod = replicas.template_;
    for (auto& [key, value] : role_labels(job, worker_role)) pod.metadata.labels[key] = value;
    pod.metadata.labels[std::string(label::replica_index)] = index_label(job, index, options);
    name_host(pod.spec, worker_name(job, index), job);
    if (!pod.spec.dns_config) pod.spec.dns_config.emplace();
    // Workers of Intel MPI and MPICH call the launcher by its bare name, in every domain of the cluster.
    pod.spec.dns_config->searches.push_back(job.metadata.name + "." + namespace_of(job.metadata) +
                                            ".svc.cluster.local");
    pod.spec.restart_policy = replicas.restart_policy;
    auto& main = pod.spec.containers.front();
    if (main.command.empty() && main.args.empty()) main.command = {"/usr/sbin/sshd", "-De"};
    main.env.emplace_back("K_MPI_JOB_ROLE", "worker");
    mount_keys(pod.spec, job);
    join_gang(pod, job, options);

    core::pod p;
    p.metadata = kftrain::child_metadata(job, worker_name(job, index));
    p.metadata.labels = std::move(pod.metadata.labels);
    p.metadata.annotations = std::move(pod.metadata.annotations);
    p.spec = std::move(pod.spec);
    return p;
}

namespace {

/// Follow the variables of the user, which they replace; in upstream's order.
void add_environment(core::container& c, mpi_job const& job) {
    std::string const file = std::string(config_path) + "/" + std::string(hostfile_key);
    std::string const patience = "-o ConnectionAttempts=10"; // sshd of a worker may be late
    std::string const slots = std::to_string(slots_of(job));
    auto const add = [&](std::string name, std::string value) {
        c.env.emplace_back(std::move(name), std::move(value));
    };
    add("K_MPI_JOB_ROLE", "launcher");
    if (job.spec.mpi_implementation == open_mpi) {
        add("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
        add("OMPI_MCA_orte_default_hostfile", file);
        add("OMPI_MCA_plm_rsh_args", patience);
        add("OMPI_MCA_orte_set_default_slots", slots);
    } else if (job.spec.mpi_implementation == intel_mpi) {
        add("I_MPI_HYDRA_HOST_FILE", file);
        add("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", patience);
        add("I_MPI_PERHOST", slots);
    } else if (job.spec.mpi_implementation == mpich) {
        add("HYDRA_HOST_FILE", file);
        add("HYDRA_LAUNCH_EXTRA_ARGS", patience);
    }
    if (launcher_works(job)) return;
    // A launcher that only waits should see no GPU, even if the image requests all of them.
    add("NVIDIA_VISIBLE_DEVICES", "");
    add("NVIDIA_DRIVER_CAPABILITIES", "");
}

void mount_config(core::pod_spec& pod, mpi_job const& job) {
    auto const item = [](std::string_view key, std::int32_t mode) {
        core::key_to_path i;
        i.key = key;
        i.path = key;
        i.mode = mode;
        return i;
    };
    core::volume v;
    v.name = config_volume;
    auto& source = v.config_map.emplace();
    source.name = config_map_name(job);
    source.items = {item(hostfile_key, 0444), item(discovery_key, 0555)};
    pod.volumes.push_back(std::move(v));

    core::volume_mount m;
    m.name = config_volume;
    m.mount_path = config_path;
    pod.containers.front().volume_mounts.push_back(std::move(m));
}

} // namespace

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newLauncherPodTemplate`.
core::pod_template_spec render_launcher_template(mpi_job const& job, mpi_operator_options const& options) {
    auto const& replicas = *spec_of(job, launcher_type);
    core::pod_template_spec pod = replicas.template_;
    for (auto& [key, value] : role_labels(job, launcher_role)) pod.metadata.labels[key] = value;
    join_gang(pod, job, options);
    if (launcher_works(job) && options.release >= mpi_operator_release::v0_7_0)
        pod.metadata.labels[std::string(label::replica_index)] = "0";
    name_host(pod.spec, launcher_name(job), job);
    pod.spec.restart_policy = replicas.restart_policy;
    add_environment(pod.spec.containers.front(), job);
    mount_keys(pod.spec, job);
    mount_config(pod.spec, job);

    core::pod_template_spec result;
    result.metadata.labels = std::move(pod.metadata.labels);
    result.metadata.annotations = std::move(pod.metadata.annotations);
    result.metadata.owner_references.push_back(controller_reference(job));
    result.spec = std::move(pod.spec);
    return result;
}

batch::job render_launcher(mpi_job const& job, mpi_operator_options const& options) {
    auto const& policy = job.spec.run_policy;
    batch::job j;
    j.metadata = child_metadata(job, launcher_name(job));
    j.spec.ttl_seconds_after_finished = policy.ttl_seconds_after_finished;
    j.spec.active_deadline_seconds = policy.active_deadline_seconds;
    j.spec.backoff_limit = policy.backoff_limit;
    j.spec.template_ = render_launcher_template(job, options);
    if (options.release >= mpi_operator_release::v0_8_2) j.spec.pod_replacement_policy = "Failed";
    if (is_suspended(job)) j.spec.suspend = true;
    return j;
}

rules::recipe ssh_recipe() {
    return rules::recipe_for<core::secret>(rules::ssh_key(rules::ssh_key::algorithm::ecdsa_p521),
                                           [](core::secret& s, rules::key_texts const& keys, std::size_t) {
                                               s.data[std::string(private_key)] = bytes(keys.private_pem);
                                               s.data[std::string(public_key)] = bytes(keys.public_line);
                                           });
}

std::vector<rendered_object> render(mpi_job const& job, priority_map const& priorities,
                                    mpi_operator_options const& options) {
    std::vector<rendered_object> all;
    all.emplace_back(render_service(job, options));
    all.emplace_back(render_config_map(job, {}, options));
    all.emplace_back(render_secret(job)).made.push_back(ssh_recipe());
    if (!is_suspended(job)) {
        if (has_gang(options)) all.emplace_back(render_pod_group(job, priorities, options));
        for (std::int32_t i = 0; i < worker_count(job); ++i) all.emplace_back(render_worker(job, i, options));
    }
    all.emplace_back(render_launcher(job, options));
    return all;
}

} // namespace kftrain::kubeflow_v2beta1
