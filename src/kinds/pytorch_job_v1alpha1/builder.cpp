#include <kftrain/kinds/pytorch_job_v1alpha1_builder.hpp>

#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "kinds/pytorch_job_v1alpha1/kind.hpp"

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace pytorch;

/// Pods of this API restart as their templates specify; only later versions create pods again by exit code.
std::string restart_policy_of(std::string chosen, std::string const& path, issues& found) {
    if (chosen != "ExitCode") return chosen;
    found.push_back(kftrain::detail::invalid_value(path + ".template.spec.restartPolicy",
                                                   "\"ExitCode\", expected Always, OnFailure or Never"));
    return {};
}

std::vector<kftrain::detail::built_pod> pods_of(pytorch_job const& job) {
    std::vector<kftrain::detail::built_pod> pods;
    for (std::size_t i = 0; i < job.spec.replica_specs.size(); ++i)
        pods.push_back({&job.spec.replica_specs[i].template_->spec, path_of(i) + ".template.spec"});
    return pods;
}

} // namespace

result<pytorch_job> pytorch_job_choices::build(pod_choices const& pod) const {
    pytorch_job made;
    made.metadata = metadata;
    made.spec.runtime_id = runtime_id;
    made.spec.scheduler_name = scheduler;
    issues found = problems;
    auto const add = [&](std::string_view type, replica_choices const& chosen) {
        auto replicas = kftrain::detail::make_replicas(main_container, pod, chosen);
        auto const path = path_of(made.spec.replica_specs.size());
        replicas.template_.spec.restart_policy = restart_policy_of(std::move(replicas.restart_policy), path, found);
        auto& set = made.spec.replica_specs.emplace_back();
        set.replica_type = type;
        set.replicas = replicas.replicas;
        set.master_port = port;
        set.template_ = std::move(replicas.template_);
    };
    add(master_type, replica_choices(master));
    if (workers) add(worker_type, *workers);

    return kftrain::detail::checked(std::move(made), std::move(found), pods_of);
}

} // namespace kftrain::kubeflow_v1alpha1
