#include <kftrain/kinds/pytorch_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/pytorch_job/kind.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>

namespace kftrain::kubeflow_v1::detail {

std::string_view to_wire(processes which) noexcept {
    switch (which) {
    case processes::automatic: return "auto";
    case processes::cpu: return "cpu";
    case processes::gpu: return "gpu";
    }
    return "";
}

result<pytorch_job> build(job_choices const& chosen, pod_choices const& pod, pytorch_job_choices const& own) {
    pytorch_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    job.spec.nproc_per_node = own.nproc_per_node;
    job.spec.elastic_policy = own.elastic;
    auto const add = [&](std::string_view type, std::optional<replica_choices> const& replicas) {
        if (!replicas) return;
        job.spec.pytorch_replica_specs.emplace(
            type, kftrain::detail::make_replicas(pytorch_kind::constants.container, pod, *replicas));
    };
    add(pytorch::master, own.master);
    add(pytorch::worker, own.workers);

    issues found = chosen.problems;
    found.insert(found.end(), own.problems.begin(), own.problems.end());
    auto const& rules = job_rules_for<pytorch_job>();
    for (auto& i : rules.validate(&job, nullptr)) found.push_back(std::move(i));
    pytorch_operator_options const told;
    kftrain::detail::check_built(pytorch_kind(job, told), found);
    for (auto& i : rules.lint(&job)) found.push_back(std::move(i));
    if (has_errors(found)) return kftrain::detail::refused(found);
    return job;
}

} // namespace kftrain::kubeflow_v1::detail
