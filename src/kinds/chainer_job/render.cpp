#include "kinds/chainer_job/render.hpp"

namespace kftrain::embedded {
extern std::string_view const chainer_job_download_kubectl; // download_kubectl.sh
extern std::string_view const chainer_job_kubexeb;          // kubexeb.sh
extern std::string_view const chainer_job_gen_hostfile;     // gen_hostfile.sh
} // namespace kftrain::embedded

namespace kftrain::kubeflow_v1alpha1::chainer {
namespace {

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
