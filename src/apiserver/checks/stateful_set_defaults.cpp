#include "apiserver/text/default_values.hpp"

namespace kftrain::apiserver {

/// Upstream: kubernetes `pkg/apis/apps/v1/defaults.go`, v1.31.
void set_stateful_set_defaults(json::object& set) {
    auto* spec = object_in(set, "spec");
    if (spec == nullptr) return;
    if (auto* from = object_in(*spec, "template")) set_template_defaults(*from);
    fill(*spec, "replicas", 1);
    fill(*spec, "podManagementPolicy", "OrderedReady");
    fill(*spec, "revisionHistoryLimit", 10);
    auto const child = [](json::object& o, std::string_view name) -> json::object& {
        auto& v = o[key(name)];
        return v.is_object() ? v.get_object() : v.emplace_object();
    };
    auto& strategy = child(*spec, "updateStrategy");
    fill(strategy, "type", "RollingUpdate");
    if (text_in(strategy, "type") == "RollingUpdate") fill(child(strategy, "rollingUpdate"), "partition", 0);
    auto& retention = child(*spec, "persistentVolumeClaimRetentionPolicy");
    fill(retention, "whenDeleted", "Retain");
    fill(retention, "whenScaled", "Retain");
}

} // namespace kftrain::apiserver
