#include "job/contract/field_error.hpp"
#include "kinds/pytorch_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/webhooks/pytorch/pytorchjob_webhook.go`, `validateSpec`.
void pytorch_kind::validate_spec(issues& found) const {
    auto const& elastic = job_.spec.elastic_policy;
    if (!elastic) return;
    if (spec_of(pytorch::worker) == nullptr)
        found.push_back(required("pytorch.elastic.worker", path_of(pytorch::worker),
                                 "must be configured if elastic policy is used"));
    if (!elastic->n_proc_per_node) return;
    constexpr std::string_view path = "spec.elasticPolicy.nProcPerNode";
    issue deprecated;
    deprecated.level = issue::severity::warning;
    deprecated.rule = "pytorch.elastic.nproc.deprecated";
    deprecated.path = path;
    deprecated.message = std::string(path) + " is deprecated, use spec.nprocPerNode instead";
    found.push_back(std::move(deprecated));
    if (job_.spec.nproc_per_node)
        found.push_back(
            forbidden("pytorch.elastic.nproc.twice", std::string(path), "must not be used with spec.nprocPerNode"));
}

void pytorch_kind::validate_replica(std::string_view type, replica_spec const& spec, issues& found) const {
    // Looks at the job before defaults: an absent count is refused for the master although the default would be right.
    if (type == pytorch::master && spec.replicas.value_or(0) != 1)
        found.push_back(forbidden("pytorch.master.replicas", path_of(type) + ".replicas", "must be 1"));
    if (type != pytorch::master && spec.replicas && *spec.replicas < 1)
        found.push_back(forbidden("pytorch.worker.replicas", path_of(type) + ".replicas", "must be at least 1"));
}

} // namespace kftrain::kubeflow_v1
