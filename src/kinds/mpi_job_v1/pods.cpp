#include "job/v1/replica_render.hpp"
#include "kinds/mpi_job_v1/children.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

core::key_to_path item(std::string_view key, std::int32_t mode) {
    core::key_to_path i;
    i.key = key;
    i.path = key;
    i.mode = mode;
    return i;
}

core::volume config_volume(mpi_kind const& job, bool of_launcher) {
    core::volume v;
    v.name = mpi::config_volume;
    auto& source = v.config_map.emplace();
    source.name = job.config_name();
    source.items.push_back(item(mpi::kubexec_key, 0555)); // Open MPI looks for it on every host
    if (of_launcher) {
        source.items.push_back(item(mpi::hostfile_key, 0444));
        source.items.push_back(item(mpi::discovery_key, 0555));
    }
    return v;
}

core::volume_mount mount(std::string_view volume, std::string_view path) {
    core::volume_mount m;
    m.name = volume;
    m.mount_path = path;
    return m;
}

std::vector<core::volume_mount> launcher_mounts() {
    return {mount(mpi::kubectl_volume, mpi::kubectl_path), mount(mpi::config_volume, mpi::config_path)};
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newLauncher`, in upstream's order.
std::vector<core::env_var> mpi_kind::environment(membership const&, member const& r, core::container const& c) const {
    auto const& containers = spec_of(r.role)->template_.spec.containers;
    if (r.role != mpi::launcher || c.name != containers.front().name) return {};
    std::string const folder = std::string(mpi::config_path) + "/";
    std::string const agent = folder + std::string(mpi::kubexec_key);
    std::vector<core::env_var> env;
    env.emplace_back("OMPI_MCA_plm_rsh_agent", agent);
    env.emplace_back("OMPI_MCA_orte_default_hostfile", folder + std::string(mpi::hostfile_key));
    if (!launcher_works()) {
        // A launcher that only waits should see no GPU, even where the image asks for all of them.
        env.emplace_back("NVIDIA_VISIBLE_DEVICES", "");
        env.emplace_back("NVIDIA_DRIVER_CAPABILITIES", "");
    }
    auto const unless_set = [&](std::string name, std::string value) {
        if (std::ranges::find(c.env, name, &core::env_var::name) == c.env.end())
            env.emplace_back(std::move(name), std::move(value));
    };
    unless_set("I_MPI_HYDRA_BOOTSTRAP", "rsh");
    unless_set("I_MPI_HYDRA_BOOTSTRAP_EXEC", agent);
    return env;
}

/// It brings kubectl, and waits for the workers of the hostfile.
std::vector<core::container> mpi_kind::init_containers(member const& r) const {
    if (r.role != mpi::launcher) return {};
    core::container deliver;
    deliver.name = "kubectl-delivery";
    deliver.image = options_.kubectl_delivery_image;
    deliver.image_pull_policy = "IfNotPresent";
    deliver.env.emplace_back("TARGET_DIR", std::string(mpi::kubectl_path));
    deliver.env.emplace_back("NAMESPACE", namespace_of(metadata));
    deliver.volume_mounts = launcher_mounts();
    for (auto* amounts : {&deliver.resources.limits, &deliver.resources.requests}) {
        amounts->emplace("cpu", "100m");
        amounts->emplace("memory", "512Mi");
        amounts->emplace("ephemeral-storage", "5Gi");
    }
    return {std::move(deliver)};
}

/// Upstream: the same file, `newLauncher` and `newWorker`.
void mpi_kind::complete(pod& p, member const& r) const {
    if (p.spec.containers.empty()) return; // no such job is valid
    auto& main = p.spec.containers.front();
    if (r.role == mpi::launcher) {
        p.spec.service_account_name = account_name();
        std::ranges::move(launcher_mounts(), std::back_inserter(main.volume_mounts));
        auto& tools = p.spec.volumes.emplace_back();
        tools.name = mpi::kubectl_volume;
        tools.empty_dir.emplace();
        p.spec.volumes.push_back(config_volume(*this, true));
        return;
    }
    if (main.command.empty()) {
        main.command = {"sleep"};
        main.args = {"365d"};
    }
    main.volume_mounts.push_back(mount(mpi::config_volume, mpi::config_path));
    p.spec.volumes.push_back(config_volume(*this, false));
}

void mpi_kind::render_members(membership const& layout, gang_scheduler const& gang,
                              std::vector<any_object>& children) const {
    children.emplace_back(mpi::render_account(*this));
    children.emplace_back(mpi::render_config(*this, {}));
    children.emplace_back(mpi::render_role(*this));
    children.emplace_back(mpi::render_binding(*this));
    for (auto type : {mpi::worker, mpi::launcher})
        for (auto const& r : layout.of_role(type)) children.emplace_back(render_pod(*this, layout, r, gang));
}

} // namespace kftrain::kubeflow_v1
