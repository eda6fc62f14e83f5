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

    return kftrain::detail::checked<pytorch_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
