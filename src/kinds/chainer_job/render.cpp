#include "kinds/chainer_job/kind.hpp"

#include <array>

namespace kftrain::embedded {
extern std::string_view const chainer_job_download_kubectl; // download_kubectl.sh
extern std::string_view const chainer_job_kubexeb;          // kubexeb.sh
extern std::string_view const chainer_job_gen_hostfile;     // gen_hostfile.sh
} // namespace kftrain::embedded

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

using texts = std::vector<std::string>;

rbac::policy_rule rule(std::string group, std::string resource, texts verbs, texts names) {
    rbac::policy_rule r;
    r.api_groups = {std::move(group)};
    r.resources = {std::move(resource)};
    r.verbs = std::move(verbs);
    r.resource_names = std::move(names);
    return r;
}

/// Labels of the job itself, unless they are the operator's own.
object_meta with_labels_of(chainer_job const& job, object_meta m, string_map const& own) {
    m.labels = job.metadata.labels;
    for (auto const& [key, value] : own) m.labels[key] = value;
    return m;
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

core::service_account render_account(chainer_job const& job) {
    core::service_account a;
    a.metadata = child_metadata(job, account_name(job));
    return a;
}

rbac::role render_role(chainer_job const& job) {
    rbac::role r;
    r.metadata = child_metadata(job, role_name(job));
    if (!is_distributed(job)) return r;
    texts sets, pods;
    for (auto const& [name, set] : job.spec.worker_sets) {
        sets.push_back(set_name(job, name));
        for (std::int32_t i = 0; i < count_of(set); ++i) pods.push_back(worker_name(job, name, i));
    }
    r.rules = {rule("apps", "statefulsets", {"get"}, std::move(sets)), rule("", "pods", {"get", "list"}, pods),
               rule("", "pods/exec", {"create"}, pods)};
    return r;
}

rbac::role_binding render_binding(chainer_job const& job) {
    rbac::role_binding b;
    b.metadata = child_metadata(job, binding_name(job));
    auto& account = b.subjects.emplace_back();
    account.kind = "ServiceAccount";
    account.name = account_name(job);
    account.namespace_ = job.metadata.namespace_;
    b.role_ref.api_group = rbac::role::resource.group;
    b.role_ref.kind = "Role";
    b.role_ref.name = role_name(job);
    return b;
}

core::config_map render_config_map(chainer_job const& job) {
    core::config_map c;
    c.metadata = child_metadata(job, config_map_name(job));
    c.data.emplace(download_script, embedded::chainer_job_download_kubectl);
    c.data.emplace(exec_script, embedded::chainer_job_kubexeb);
    c.data.emplace(hostfile_script, embedded::chainer_job_gen_hostfile);
    std::string lines;
    for (auto const& [name, set] : job.spec.worker_sets)
        lines += set_name(job, name) + " slots=" + std::to_string(slots_of(set.mpi_config)) + "\n";
    c.data.emplace(sets_file, std::move(lines));
    return c;
}

batch::job render_master(chainer_job const& job) {
    batch::job j;
    j.metadata = with_labels_of(job, child_metadata(job, master_name(job)), pod_labels(job));
    j.spec.completions = 1;
    j.spec.parallelism = 1;
    j.spec.backoff_limit = job.spec.master.backoff_limit;
    j.spec.active_deadline_seconds = job.spec.master.active_deadline_seconds;
    j.spec.template_ = render_master_pod(job);
    return j;
}

apps::stateful_set render_set(chainer_job const& job, std::string_view set, bool ended) {
    apps::stateful_set s;
    s.metadata = with_labels_of(job, child_metadata(job, set_name(job, set)), pod_labels(job, set));
    s.spec.replicas = ended ? 0 : count_of(job.spec.worker_sets.find(set)->second);
    s.spec.template_ = render_worker_pod(job, set);
    s.spec.selector.emplace().match_labels = s.spec.template_.metadata.labels;
    s.spec.service_name = s.metadata.name; // though there is no such service
    s.spec.pod_management_policy = "Parallel";
    return s;
}

std::vector<any_object> render(chainer_job const& job) {
    std::vector<any_object> all;
    all.emplace_back(render_account(job));
    all.emplace_back(render_role(job));
    all.emplace_back(render_binding(job));
    if (is_distributed(job)) all.emplace_back(render_config_map(job));
    all.emplace_back(render_master(job));
    for (auto const& [name, set] : job.spec.worker_sets) all.emplace_back(render_set(job, name, false));
    return all;
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
