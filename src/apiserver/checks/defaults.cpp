#include "apiserver/checks/defaults.hpp"

#include "apiserver/text/default_values.hpp"
#include "model/scalars/base64.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

/** The defaults of a server with IPv4 addresses for a service that sets none.
    @par Upstream kubernetes `pkg/registry/core/service/storage/alloc.go`, `initIPFamilyFields`, v1.31 */
void headless_defaults(json::object& spec) {
    auto const* selector = object_in(spec, "selector");
    bool const selects = selector != nullptr && !selector->empty();
    fill(spec, "clusterIPs", json::array{"None"});
    // Of addresses that somebody else writes down nobody knows the family.
    fill(spec, "ipFamilies", selects ? json::array{"IPv4"} : json::array{"IPv4", "IPv6"});
    fill(spec, "ipFamilyPolicy", selects ? "SingleStack" : "RequireDualStack");
}

void service_defaults(json::object& service) {
    auto* spec = object_in(service, "spec");
    if (spec == nullptr) return;
    fill(*spec, "type", "ClusterIP");
    fill(*spec, "sessionAffinity", "None");
    if (text_in(*spec, "type") != "ExternalName") fill(*spec, "internalTrafficPolicy", "Cluster");
    if (text_in(*spec, "clusterIP") == "None") headless_defaults(*spec);
    each(*spec, "ports", [](json::object& port) {
        fill(port, "protocol", "TCP");
        auto const* number = port.if_contains("port");
        auto const* target = port.if_contains("targetPort");
        bool const zero = target != nullptr && (*target == 0 || *target == "");
        if (number != nullptr && (target == nullptr || zero)) {
            json::value copy = *number; // the insertion may move what `number` points to
            port["targetPort"] = std::move(copy);
        }
    });
}

void secret_defaults(json::object& secret) {
    fill(secret, "type", "Opaque");
    auto* given = object_in(secret, "stringData");
    if (given == nullptr) return;
    json::object const plain = std::move(*given);
    secret.stable_erase("stringData");
    auto& data = secret["data"];
    if (!data.is_object()) data.emplace_object();
    for (auto const& [k, v] : plain)
        if (v.is_string()) data.get_object()[k] = base64_encode(view(v.get_string()));
}

void namespace_defaults(json::object& ns, bool creating) {
    auto& meta = metadata_of(ns);
    json::string const name(key(text_in(meta, "name")));
    auto& labels = meta["labels"];
    if (!labels.is_object()) labels.emplace_object();
    fill(labels.get_object(), "kubernetes.io/metadata.name", name);
    if (!creating) return;
    json::object status;
    status["phase"] = "Active";
    ns["status"] = std::move(status);
    // The deletion of a namespace waits until its content is deleted.
    auto& spec = ns["spec"];
    if (!spec.is_object()) spec.emplace_object();
    auto& finalizers = spec.get_object()["finalizers"];
    if (!finalizers.is_array()) finalizers.emplace_array();
    json::value const own("kubernetes");
    if (std::ranges::find(finalizers.get_array(), own) == finalizers.get_array().end())
        finalizers.get_array().push_back(own);
}

} // namespace

void set_defaults(resource_definition const& d, json::object& object, bool creating) {
    if (d.custom) return;
    if (d.group == "batch" && d.plural == "jobs") set_job_defaults(object, creating);
    if (d.group == "apps" && d.plural == "statefulsets") set_stateful_set_defaults(object);
    if (d.group == "scheduling.k8s.io" && d.plural == "priorityclasses") {
        fill(object, "preemptionPolicy", "PreemptLowerPriority");
        if (creating) metadata_of(object)["generation"] = 1; // and stays so
    }
    if (!d.group.empty()) return;
    if (d.plural == "pods")
        set_pod_defaults(object, creating);
    else if (d.plural == "services")
        service_defaults(object);
    else if (d.plural == "secrets")
        secret_defaults(object);
    else if (d.plural == "namespaces")
        namespace_defaults(object, creating);
}

} // namespace kftrain::apiserver
