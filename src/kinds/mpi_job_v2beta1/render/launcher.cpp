#include "kinds/mpi_job_v2beta1/render/render.hpp"

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// Behind those of the user, of which they take the place; in upstream's order.
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
    // A launcher that only waits should see no GPU, even where the image asks for all of them.
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

} // namespace kftrain::kubeflow_v2beta1
