#include "local/cluster/pod_issues.hpp"
#include "local/node/sandbox_helper.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <algorithm>

namespace kftrain::local {
namespace {

bool allows_exec(rbac::role const& role) {
    return std::ranges::any_of(role.rules, [](rbac::policy_rule const& rule) {
        return std::ranges::find(rule.resources, "pods/exec") != rule.resources.end();
    });
}

/// Whether the operator lets a pod of the job start processes in the others, as by `kubectl exec`.
bool starts_by_exec(prepared_job const& job) {
    auto const watches = job.rules().watches();
    bool const has_roles =
        std::ranges::any_of(watches, [](auto const& row) { return row.type->info->kind == rbac::role::resource.kind; });
    if (!has_roles) return false; // most kinds; the others have no jobs of many thousand pods
    return std::ranges::any_of(job.render(), [](any_object const& o) {
        auto const* const role = o.get_if<rbac::role>();
        return role != nullptr && allows_exec(*role);
    });
}

/// `MPIJob.v2beta1`, if a conversion to that kind makes a job that starts in another way; else empty.
std::string convertible_to(prepared_job const& job) {
    auto const text = job->to_json();
    for (auto const& c : convert::conversions()) {
        if (c.from.kind != job->resource().kind || c.from.api_version() != job->resource().api_version()) continue;
        convert::kind_name to;
        to.kind = c.to.kind;
        to.version = c.to.version;
        auto const made = convert::convert_job(yaml_document(text, 1), to);
        if (made && !starts_by_exec(prepared_job::admitted(made->job))) return to.kind + "." + to.version;
    }
    return {};
}

issue exec_issue(prepared_job const& job, std::string const& need) {
    auto const& r = job->resource();
    issue i;
    i.rule = "local.unsupported";
    i.path = "kind";
    i.message = "kind: the local cluster does not run " + std::string(r.kind) + " of " + r.api_version() +
                " with workers here: their processes start by kubectl exec, which needs " + need;
    if (auto const to = convertible_to(job); !to.empty())
        i.message += "; a conversion to " + to + " creates a job that starts its processes by ssh";
    return i;
}

} // namespace

issues unsupported_parts(any_job const& job, isolation mode, operator_options const& rules, pod_options const& pods) {
    return unsupported_parts(prepared_job::admitted(job, rules), mode, pods);
}

issues unsupported_parts(prepared_job const& job, isolation mode, pod_options const& pods) {
    if (starts_by_exec(job)) {
        if (mode == isolation::processes) return {exec_issue(job, "isolation by namespaces")};
        if (find_kftrain_command().empty())
            return {exec_issue(job, "the command kftrain in PATH or next to the sandbox helper")};
    }
    return issues_of_pods(job, [&](pod const& p) { return unsupported_parts(p, mode, pods); });
}

} // namespace kftrain::local
