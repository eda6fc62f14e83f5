#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

/** The spec of an XGBoostJob of xgboost-operator, which has the run policy in itself.
    @par Upstream xgboost-operator `pkg/apis/xgboostjob/{v1alpha1,v1}/xgboostjob_types.go` */
struct xgboost_operator_spec {
    xgboost_operator_spec() = default;

    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    kubeflow_v1::replica_spec_map xgb_replica_specs;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(xgboost_operator_spec, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds,
                                         backoff_limit, scheduling_policy, xgb_replica_specs))

using xgboost_operator_job = early_job<xgboost_operator_spec>;

KFTRAIN_TABLE(xgboost_operator_spec)

namespace {

constexpr std::string_view unknown_in_xgboost_operator = "An XGBoostJob of xgboost-operator has no such field.";

/// The training container of xgboost-operator is named `xgboostjob`. @par Upstream its `config/samples`
void rename_container(core::pod_spec& pod, std::string const& path, change_list& changes) {
    auto& all = pod.containers;
    auto const at = std::ranges::find(all, "xgboostjob", &core::container::name);
    if (at == all.end() || std::ranges::find(all, "xgboost", &core::container::name) != all.end()) return;
    at->name = "xgboost";
    auto const place = path + ".containers[" + std::to_string(at - all.begin()) + "].name";
    changes.changed(place, json_text("xgboostjob"), place, "The operator looks for the container xgboost.");
}

} // namespace

result<converted<xgboost_job>> read_xgboost_operator_job(document& text) {
    auto const job = read_source<xgboost_operator_job>(text);
    if (!job) return job.error();
    auto const& from = job->spec;
    xgboost_job made;
    change_list changes;
    changes.changed("apiVersion", json_text(job->api_version), "apiVersion", "The current group is kubeflow.org.");
    made.metadata = carried_head(*job, unknown_in_xgboost_operator, changes);
    auto const moved = [&](std::string const& field, std::string const& value) {
        moved_to_policy(field, value, changes);
    };
    auto& policy = made.spec.run_policy;
    if (auto const& cleaning = policy.clean_pod_policy = from.clean_pod_policy)
        moved("cleanPodPolicy", json_text(*cleaning));
    if (auto const& ttl = policy.ttl_seconds_after_finished = from.ttl_seconds_after_finished)
        moved("ttlSecondsAfterFinished", std::to_string(*ttl));
    if (auto const& deadline = policy.active_deadline_seconds = from.active_deadline_seconds)
        moved("activeDeadlineSeconds", std::to_string(*deadline));
    if (auto const& limit = policy.backoff_limit = from.backoff_limit) moved("backoffLimit", std::to_string(*limit));
    if (auto const& gang = from.scheduling_policy) {
        policy.scheduling_policy = gang;
        moved("schedulingPolicy", to_json(*gang));
    }
    for (auto const& [type, given] : from.xgb_replica_specs) {
        changes.dropped(given.unknown, "spec.xgbReplicaSpecs[" + type + "]", unknown_in_xgboost_operator);
        auto& spec = made.spec.xgb_replica_specs[type] = given;
        spec.unknown = unknown_fields();
        rename_container(spec.template_.spec, "spec.xgbReplicaSpecs[" + type + "].template.spec", changes);
    }
    drop_status(*job, changes);
    return accepted(std::move(made), std::move(changes));
}

} // namespace kftrain::convert
