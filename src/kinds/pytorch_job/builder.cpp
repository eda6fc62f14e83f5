#include <kftrain/kinds/pytorch_job_builder.hpp>

#include "kinds/pytorch_job/constants.hpp"

namespace kftrain::detail {

std::string_view to_wire(processes which) noexcept {
    switch (which) {
    case processes::automatic: return "auto";
    case processes::cpu: return "cpu";
    case processes::gpu: return "gpu";
    }
    return "";
}

result<pytorch_job> build(job_choices const& chosen, pod_choices const& pod, pytorch_job_choices const& own) {
    using rules = job_rules<pytorch_job>;
    pytorch_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    job.spec.nproc_per_node = own.nproc_per_node;
    job.spec.elastic_policy = own.elastic;
    auto const add = [&](std::string_view type, std::optional<replica_choices> const& replicas) {
        if (!replicas) return;
        job.spec.pytorch_replica_specs.emplace(type, make_replicas(pytorch::constants.container, pod, *replicas));
    };
    add(pytorch::master, own.master);
    add(pytorch::worker, own.workers);

    issues found = chosen.problems;
    found.insert(found.end(), own.problems.begin(), own.problems.end());
    rules::validate(job, found);
    check_built(rules::view(job), found);
    rules::lint(job, found);
    if (has_errors(found)) return refused(found);
    return job;
}

} // namespace kftrain::detail
