#include "kinds/mpi_job_v1/children.hpp"

#include "job/contract/child_metadata.hpp"
#include "job/v1/replica_render.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1::mpi {

std::string hostfile(mpi_kind const& job) {
    std::string const slots = " slots=" + std::to_string(job.slots()) + "\n";
    std::string text;
    if (job.launcher_works()) text += job.launcher_name() + slots;
    for (std::int32_t i = 0; i < job.workers(); ++i) text += job.name_of(worker, i) + slots;
    return text;
}

std::string kubexec_script(mpi_kind const& job) {
    std::string text = "#!/bin/sh\nset -x\nPOD_NAME=$1\nshift\n";
    text.append(kubectl_path).append("/kubectl exec ${POD_NAME}");
    if (auto const& main = job.spec().main_container; !main.empty()) text.append(" --container ").append(main);
    return text.append(" -- /bin/sh -c \"$*\"");
}

/// Lines begin with a newline; that of the launcher also ends with one.
std::string discovery_script(mpi_kind const& job, std::vector<std::string> running) {
    std::ranges::sort(running);
    std::string const slots = ":" + std::to_string(job.slots());
    std::string text = "#!/bin/sh";
    if (job.launcher_works()) text += "\necho " + job.launcher_name() + slots + "\n";
    for (auto const& host : running) text += "\necho " + host + slots;
    return text;
}

namespace {

constexpr std::string_view rbac_group = "rbac.authorization.k8s.io";

object_meta child_metadata(mpi_kind const& job, std::string name) {
    auto m = kftrain::child_metadata(job, std::move(name));
    m.labels.emplace("app", job.metadata.name);
    return m;
}

rbac::policy_rule rule(std::vector<std::string> verbs, std::string resource) {
    rbac::policy_rule r;
    r.verbs = std::move(verbs);
    r.api_groups = {""};
    r.resources = {std::move(resource)};
    return r;
}

} // namespace

core::service_account render_account(mpi_kind const& job) {
    core::service_account a;
    a.metadata = child_metadata(job, job.account_name());
    return a;
}

core::config_map render_config(mpi_kind const& job, std::vector<std::string> running) {
    core::config_map c;
    c.metadata = child_metadata(job, job.config_name());
    c.data.emplace(hostfile_key, hostfile(job));
    c.data.emplace(kubexec_key, kubexec_script(job));
    c.data.emplace(discovery_key, discovery_script(job, std::move(running)));
    return c;
}

rbac::role render_role(mpi_kind const& job) {
    rbac::role r;
    r.metadata = child_metadata(job, job.launcher_name());
    r.rules.push_back(rule({"get", "list", "watch"}, "pods"));
    auto& exec = r.rules.emplace_back(rule({"create"}, "pods/exec"));
    for (std::int32_t i = 0; i < job.workers(); ++i) exec.resource_names.push_back(job.name_of(worker, i));
    return r;
}

rbac::role_binding render_binding(mpi_kind const& job) {
    rbac::role_binding b;
    b.metadata = child_metadata(job, job.launcher_name());
    auto& account = b.subjects.emplace_back();
    account.kind = core::service_account::resource.kind;
    account.name = job.account_name();
    account.namespace_ = namespace_of(job.metadata);
    b.role_ref.api_group = rbac_group;
    b.role_ref.kind = rbac::role::resource.kind;
    b.role_ref.name = job.launcher_name();
    return b;
}

} // namespace kftrain::kubeflow_v1::mpi
