#include <kftrain/kinds/pytorch_job_v1alpha1_builder.hpp>

#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "kinds/pytorch_job_v1alpha1/kind.hpp"

namespace kftrain::kubeflow_v1alpha1::detail {
namespace {

using namespace pytorch;

/// Pods of this API restart as their templates specify; only later versions create pods again by exit code.
std::string restart_policy_of(std::string chosen, std::string const& path, issues& found) {
    if (chosen != "ExitCode") return chosen;
    issue i;
    i.rule = "builder.value";
    i.path = path + ".template.spec.restartPolicy";
    i.message = i.path + ": \"ExitCode\", expected Always, OnFailure or Never";
    found.push_back(std::move(i));
    return {};
}

std::vector<kftrain::detail::built_pod> pods_of(pytorch_job const& job) {
    std::vector<kftrain::detail::built_pod> pods;
    for (std::size_t i = 0; i < job.spec.replica_specs.size(); ++i)
        pods.push_back({&job.spec.replica_specs[i].template_->spec, path_of(i) + ".template.spec"});
    return pods;
}

} // namespace

result<pytorch_job> build(pod_choices const& pod, pytorch_job_choices const& own) {
    pytorch_job job;
    job.metadata = own.metadata;
    job.spec.runtime_id = own.runtime_id;
    job.spec.scheduler_name = own.scheduler;
    issues found = own.problems;
    auto const add = [&](std::string_view type, replica_choices const& chosen) {
        auto made = kftrain::detail::make_replicas(main_container, pod, chosen);
        auto const path = path_of(job.spec.replica_specs.size());
        made.template_.spec.restart_policy = restart_policy_of(std::move(made.restart_policy), path, found);
        auto& set = job.spec.replica_specs.emplace_back();
        set.replica_type = type;
        set.replicas = made.replicas;
        set.master_port = own.port;
        set.template_ = std::move(made.template_);
    };
    replica_choices master;
    master.own = own.master;
    add(master_type, master);
    if (own.workers) add(worker_type, *own.workers);

    return kftrain::detail::checked(std::move(job), std::move(found), pods_of);
}

} // namespace kftrain::kubeflow_v1alpha1::detail
