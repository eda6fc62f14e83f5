#include "kinds/chainer_job/render.hpp"

#include <array>

namespace kftrain::kubeflow_v1alpha1::chainer {
namespace {

constexpr std::string_view generated_volume = "chainer-operator-volume-generated";
constexpr std::string_view kubectl_volume = "chainer-operator-volume-kubectl";
constexpr std::string_view assets_volume = "chainer-operator-volume-assets";

std::string in(std::string_view folder, std::string_view file) { return std::string(folder).append("/").append(file); }

std::vector<core::volume> own_volumes(chainer_job const& job) {
    std::vector<core::volume> all(3);
    all[0].name = generated_volume;
    all[0].empty_dir.emplace();
    all[1].name = kubectl_volume;
    all[1].empty_dir.emplace();
    all[2].name = assets_volume;
    auto& assets = all[2].config_map.emplace();
    assets.name = config_map_name(job);
    for (auto const file : {download_script, exec_script, hostfile_script, sets_file}) {
        auto& item = assets.items.emplace_back();
        item.key = file;
        item.path = file;
        item.mode = 0555;
    }
    return all;
}

void mount_volumes(core::container& c) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> places{
        {{generated_volume, generated_path}, {kubectl_volume, kubectl_path}, {assets_volume, assets_path}}};
    for (auto const& [name, path] : places) {
        auto& mount = c.volume_mounts.emplace_back();
        mount.name = name;
        mount.mount_path = path;
    }
}

core::container downloader() {
    core::container c;
    c.name = "chainer-operator-kubectl-downloader";
    c.image = "tutum/curl";
    c.command = {in(assets_path, download_script)};
    c.args = {std::string(kubectl_path)};
    return c;
}

core::container hostfile_generator(chainer_job const& job) {
    core::container c;
    c.name = hostfile_generator_name;
    c.image = "alpine";
    c.command = {in(assets_path, hostfile_script)};
    c.args = {in(generated_path, "hostfile"), "$(POD_NAME)",
              "slots=" + std::to_string(slots_of(job.spec.master.mpi_config)), in(assets_path, sets_file)};
    auto& name = c.env.emplace_back("POD_NAME", "");
    name.value_from.emplace().field_ref.emplace().field_path = "metadata.name";
    return c;
}

void add_environment(core::container& c) {
    c.env.emplace_back("KUBECTL_DIR", std::string(kubectl_path));
    c.env.emplace_back("OMPI_MCA_plm_rsh_agent", in(assets_path, exec_script));
    c.env.emplace_back("OMPI_MCA_orte_keep_fqdn_hostnames", "t");
    c.env.emplace_back("OMPI_MCA_orte_default_hostfile", in(generated_path, "hostfile"));
    c.env.emplace_back("OMPI_MCA_btl_tcp_if_exclude", "lo,docker0");
}

/// Behind all that the user has.
void equip(core::pod_spec& pod, chainer_job const& job, std::vector<core::container> own) {
    for (auto& v : own_volumes(job)) pod.volumes.push_back(std::move(v));
    for (auto& c : own) pod.init_containers.push_back(std::move(c));
    for (auto& c : pod.init_containers) mount_volumes(c);
    for (auto& c : pod.containers) {
        add_environment(c);
        mount_volumes(c);
    }
}

core::pod_template_spec pod_of(core::pod_template_spec given, chainer_job const& job, string_map const& own) {
    for (auto const& [key, value] : own) given.metadata.labels[key] = value;
    given.spec.service_account_name = account_name(job);
    return given;
}

} // namespace

core::pod_template_spec render_master_pod(chainer_job const& job) {
    auto pod = pod_of(job.spec.master.template_, job, pod_labels(job));
    if (is_distributed(job)) equip(pod.spec, job, {downloader(), hostfile_generator(job)});
    return pod;
}

core::pod_template_spec render_worker_pod(chainer_job const& job, std::string_view set) {
    auto pod = pod_of(job.spec.worker_sets.find(set)->second.template_, job, pod_labels(job, set));
    equip(pod.spec, job, {downloader()});
    return pod;
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
