#include "convert/old_mpi_job.hpp"
#include "convert/read_source.hpp"

#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_old_xgboost = "An XGBoostJob of xgboost-operator has no such field.";

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

result<converted<xgboost_job>> read_old_xgboost_job(document& text) {
    auto const job = read_source<old_xgboost_job>(text);
    if (!job) return job.error();
    auto const& from = job->spec;
    xgboost_job made;
    change_list changes;
    changes.changed("apiVersion", json_text(job->api_version), "apiVersion", "The current group is kubeflow.org.");
    made.metadata = carried_head(*job, unknown_in_old_xgboost, changes);
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
        changes.dropped(given.unknown, "spec.xgbReplicaSpecs[" + type + "]", unknown_in_old_xgboost);
        auto& spec = made.spec.xgb_replica_specs[type] = given;
        spec.unknown = unknown_fields();
        rename_container(spec.template_.spec, "spec.xgbReplicaSpecs[" + type + "].template.spec", changes);
    }
    drop_status(*job, changes);
    return accepted(std::move(made), std::move(changes));
}

} // namespace kftrain::convert
