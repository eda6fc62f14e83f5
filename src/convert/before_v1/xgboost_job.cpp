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

/// One conversion; refers to the source.
class xgboost_operator_pass : public early_pass<xgboost_operator_spec, xgboost_job> {
public:
    explicit xgboost_operator_pass(source const& job) : early_pass(job, unknown_in_xgboost_operator) {}

    result<converted<xgboost_job>> run() {
        changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion", "The current group is kubeflow.org.");
        carry_head();
        auto& policy = result_.spec.run_policy;
        move_to_policy("cleanPodPolicy", from_.clean_pod_policy, policy.clean_pod_policy);
        move_to_policy("ttlSecondsAfterFinished", from_.ttl_seconds_after_finished, policy.ttl_seconds_after_finished);
        move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds);
        move_to_policy("backoffLimit", from_.backoff_limit, policy.backoff_limit);
        move_to_policy("schedulingPolicy", from_.scheduling_policy, policy.scheduling_policy);
        for (auto const& [type, given] : from_.xgb_replica_specs) {
            auto const path = "spec.xgbReplicaSpecs[" + type + "]";
            auto& spec = result_.spec.xgb_replica_specs[type] = known_part(given, path);
            rename_container(spec.template_.spec, path + ".template.spec", changes_);
        }
        return finish();
    }
};

} // namespace

result<converted<xgboost_job>> read_xgboost_operator_job(document& text) {
    auto const job = read_source<xgboost_operator_job>(text);
    if (!job) return job.error();
    return xgboost_operator_pass(*job).run();
}

} // namespace kftrain::convert
