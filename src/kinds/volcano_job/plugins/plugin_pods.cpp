#include "base/joined.hpp"
#include "kinds/volcano_job/kind.hpp"

#include <algorithm>
#include <string_view>

namespace kftrain::volcano {
namespace {

constexpr std::string_view hosts_path = "/etc/volcano";
constexpr std::string_view hostfile_folder = "/etc/mpi";
constexpr std::string_view ssh_folder = ".ssh"; ///< in the volume

/// Main containers first.
template <class Change> void each_container(core::pod& pod, Change change) {
    for (auto& c : pod.spec.containers) change(c);
    for (auto& c : pod.spec.init_containers) change(c);
}

void mount(core::container& c, std::string const& volume, std::string path, std::string_view sub_path = {}) {
    auto& m = c.volume_mounts.emplace_back();
    m.name = volume;
    m.mount_path = std::move(path);
    m.sub_path = sub_path;
}

void apply_env(core::pod& pod, std::int32_t index) {
    each_container(pod, [&](core::container& c) {
        for (auto const* name : {"VK_TASK_INDEX", "VC_TASK_INDEX"}) c.env.emplace_back(name, std::to_string(index));
    });
}

/// A variable whose value is the entry of its name in the ConfigMap of hosts.
core::env_var from_hosts(job const& job, std::string name) {
    core::env_var v;
    v.name = name;
    auto& from = v.value_from.emplace().config_map_key_ref.emplace();
    from.name = hosts_name(job);
    from.key = std::move(name);
    return v;
}

void apply_svc(core::pod& pod, job const& job) {
    if (pod.spec.hostname.empty()) pod.spec.hostname = pod.metadata.name;
    if (pod.spec.subdomain.empty()) pod.spec.subdomain = job.metadata.name;
    std::vector<core::env_var> variables;
    for (auto const& t : job.spec.tasks) {
        std::string const start = "VC_" + upper_case(identifier(t));
        variables.push_back(from_hosts(job, start + "_HOSTS"));
        variables.push_back(from_hosts(job, start + "_NUM"));
    }
    std::string const volume = hosts_name(job);
    each_container(pod, [&](core::container& c) {
        c.env.insert(c.env.end(), variables.begin(), variables.end());
        mount(c, volume, std::string(hosts_path));
    });
    auto& v = pod.spec.volumes.emplace_back();
    v.name = volume;
    v.config_map.emplace().name = volume;
}

void apply_ssh(core::pod& pod, job const& job) {
    auto const settings = ssh_of(job);
    std::string const name = secret_name(job);
    auto& v = pod.spec.volumes.emplace_back();
    v.name = name;
    auto& source = v.secret.emplace();
    source.secret_name = name;
    for (auto const* file : {"id_rsa", "id_rsa.pub", "authorized_keys", "config"}) {
        auto& item = source.items.emplace_back();
        item.key = file;
        item.path = std::string(ssh_folder) + "/" + file;
    }
    // sshd of root requires it; other users could not read the keys with this mode.
    source.default_mode = settings.key_path == root_ssh_path ? 0600 : 0644;
    each_container(pod, [&](core::container& c) { mount(c, name, settings.key_path, ssh_folder); });
}

/// Every pod of the job may start mpirun. A mounted folder follows the ConfigMap, but a single file would not.
void mount_hostfile(core::pod& pod, job const& job) {
    std::string const volume = hostfile_name(job);
    auto& v = pod.spec.volumes.emplace_back();
    v.name = volume;
    v.config_map.emplace().name = volume;
    for (auto& c : pod.spec.containers) {
        mount(c, volume, std::string(hostfile_folder));
        c.env.emplace_back("OMPI_MCA_orte_default_hostfile", std::string(hostfile_folder) + "/hostfile");
    }
}

/// The length of the names of all hosts of a task, one after the other, with separators.
double host_bytes(job const& job, task_spec const& task, std::size_t between = 1) {
    auto const count = replicas_of(task);
    return count == 0
               ? 0.0
               : static_cast<double>(count) * static_cast<double>(address(job, task, count - 1).size() + between);
}

double containers_of(task_spec const& task, bool init) {
    auto const& pod = task.template_.spec;
    return static_cast<double>(pod.containers.size() + (init ? pod.init_containers.size() : 0));
}

} // namespace

void open_port(core::container& c, std::string_view name, std::int64_t number) {
    auto const port = static_cast<std::int32_t>(number); // truncated, as upstream does
    if (std::ranges::any_of(c.ports, [&](auto const& p) { return p.container_port_ == port; })) return;
    auto& p = c.ports.emplace_back();
    p.name = name;
    p.container_port_ = port;
}

/// Upstream v1.9.0 crashes if there are no workers; as in v1.12.3, the master then gets no hosts.
void apply_mpi(core::pod& pod, job const& job, task_spec const& task, volcano_operator_options const& options) {
    auto const settings = mpi_of(job, options.plugins);
    if (is_designed(options)) mount_hostfile(pod, job);
    bool const is_master = task_name(task) == settings.master;
    auto const* const workers = find_task(job, settings.worker);
    if (is_master && workers == nullptr) return;
    each_container(pod, [&](core::container& c) {
        open_port(c, "mpijob-port", settings.port);
        if (is_master) c.env.emplace_back("MPI_HOST", joined(hosts(job, *workers), ","));
    });
}

void apply_plugins(core::pod& pod, job const& job, task_spec const& task, std::int32_t index,
                   volcano_operator_options const& options) {
    for (auto const& [name, arguments] : job.spec.plugins) {
        if (!is_plugin(name, options)) continue;
        if (name == plugin::env) apply_env(pod, index);
        if (name == plugin::hcclrank) apply_hcclrank(pod, job, task, index);
        if (name == plugin::mpi) apply_mpi(pod, job, task, options);
        if (name == plugin::mxnet) apply_mxnet(pod, job, task);
        if (name == plugin::pytorch) apply_pytorch(pod, job, task, index, options);
        if (name == plugin::ray) apply_ray(pod, job, task);
        if (name == plugin::ssh) apply_ssh(pod, job);
        if (name == plugin::svc) apply_svc(pod, job);
        if (name == plugin::tensorflow) apply_tensorflow(pod, job, task, index, options);
    }
    if (is_designed(options)) add_wait(pod, job, task, options);
}

double environment_bytes(job const& job, volcano_operator_options const& options) {
    auto const tensorflow = tensorflow_of(job, options.plugins);
    auto const mpi = mpi_of(job, options.plugins);
    double cluster = 0, workers = 0, names = 0;
    for (auto const& t : job.spec.tasks) {
        auto const name = task_name(t);
        bool const has_role = name == tensorflow.ps || name == tensorflow.worker || name == tensorflow.chief ||
                              name == tensorflow.evaluator;
        if (has_role) cluster += host_bytes(job, t, std::string_view(R"(":65535",)").size());
        if (name == mpi.worker) workers += host_bytes(job, t);
        // `VC_<TASK>_HOSTS` and `VC_<TASK>_NUM`, each listed twice: as a name, and as the place of its value.
        names += static_cast<double>(4 * t.name.size() + 2 * hosts_name(job).size());
    }
    double bytes = 0;
    for (auto const& t : job.spec.tasks) {
        double each = 0;
        if (has_plugin(job, plugin::tensorflow)) each += containers_of(t, false) * cluster;
        if (has_plugin(job, plugin::mpi) && task_name(t) == mpi.master) each += containers_of(t, true) * workers;
        if (has_plugin(job, plugin::svc)) each += containers_of(t, true) * names;
        if (auto const* const awaited = awaited_task(job, t, options)) each += host_bytes(job, *awaited);
        // A task without pods may get some, and lint looks at its first.
        bytes += static_cast<double>(std::max(replicas_of(t), 1)) * each;
    }
    return bytes;
}

} // namespace kftrain::volcano
