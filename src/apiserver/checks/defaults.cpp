#include "apiserver/checks/defaults.hpp"

#include "model/scalars/base64.hpp"

#include <algorithm>
#include <limits>

namespace kftrain::apiserver {
namespace {

json::object& child_of(json::object& o, std::string_view name) {
    auto& v = o[key(name)];
    return v.is_object() ? v.get_object() : v.emplace_object();
}

/** Whether the tag of the image is `latest` or absent. False if the text is not an image reference.
    @par Upstream kubernetes `pkg/util/parsers/parsers.go`, `ParseImageName`, v1.31 */
bool is_latest(std::string_view image) {
    if (image.empty()) return false;
    auto const at = image.find('@');
    auto const named = image.substr(0, at);
    auto const slash = named.rfind('/');
    auto const start = slash == named.npos ? 0 : slash + 1;
    auto const colon = named.find(':', start);
    auto const repository = named.substr(0, colon);
    auto const known = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("./-_:").find(c) != std::string_view::npos;
    };
    if (!std::ranges::all_of(repository.substr(std::min(repository.find('/') + 1, repository.size())), known))
        return false;
    if (repository.find_first_of(" \t\r\n") != repository.npos) return false;
    if (colon != named.npos) return named.substr(colon + 1) == "latest";
    return at == image.npos;
}

void http_defaults(json::object& action) {
    auto* get = object_in(action, "httpGet");
    if (get == nullptr) return;
    fill(*get, "path", "/");
    fill(*get, "scheme", "HTTP");
}

void probe_defaults(json::object& container, std::string_view name) {
    auto* probe = object_in(container, name);
    if (probe == nullptr) return;
    http_defaults(*probe);
    auto const count = [&](std::string_view member, std::int64_t value) {
        auto& here = (*probe)[key(member)];
        if (here.is_null() || here == 0) here = value;
    };
    count("timeoutSeconds", 1);
    count("periodSeconds", 10);
    count("successThreshold", 1);
    count("failureThreshold", 3);
}

/// Sets each missing request to the limit of the same resource.
void resource_defaults(json::object& container) {
    auto* resources = object_in(container, "resources");
    auto const* limits = resources != nullptr ? object_in(std::as_const(*resources), "limits") : nullptr;
    if (limits == nullptr || limits->empty()) return;
    json::object const limited = *limits; // the insertion may move it
    auto& requests = (*resources)["requests"];
    if (!requests.is_object()) requests.emplace_object();
    for (auto const& [name, amount] : limited) fill(requests.get_object(), {name.data(), name.size()}, amount);
}

void container_defaults(json::object& container, bool host_network, bool of_pod) {
    auto const image = is_latest(text_in(container, "image"));
    fill(container, "terminationMessagePath", "/dev/termination-log");
    fill(container, "terminationMessagePolicy", "File");
    fill(container, "imagePullPolicy", image ? "Always" : "IfNotPresent");
    if (of_pod) resource_defaults(container);
    each(container, "ports", [&](json::object& port) {
        fill(port, "protocol", "TCP");
        if (!host_network) return;
        auto const number = integer_in(port, "containerPort").value_or(0);
        if (integer_in(port, "hostPort").value_or(0) == 0) port["hostPort"] = number;
    });
    each(container, "env", [](json::object& variable) {
        auto* from = object_in(variable, "valueFrom");
        auto* field = from != nullptr ? object_in(*from, "fieldRef") : nullptr;
        if (field != nullptr) fill(*field, "apiVersion", "v1");
    });
    for (auto const* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) probe_defaults(container, probe);
    if (auto* lifecycle = object_in(container, "lifecycle"))
        for (auto const* hook : {"postStart", "preStop"})
            if (auto* handler = object_in(*lifecycle, hook)) http_defaults(*handler);
}

void volume_defaults(json::object& volume) {
    bool const bare =
        std::ranges::all_of(volume, [](auto const& m) { return m.key() == "name" || m.value().is_null(); });
    if (bare) volume["emptyDir"].emplace_object();
    constexpr int readable = 0644;
    for (auto const* source : {"secret", "configMap", "downwardAPI", "projected"})
        if (auto* files = object_in(volume, source)) fill(*files, "defaultMode", readable);
    if (auto* host = object_in(volume, "hostPath"); host != nullptr && host->if_contains("type") == nullptr)
        (*host)["type"] = "";
    auto const versions = [](json::object& files) {
        each(files, "items", [](json::object& item) {
            if (auto* field = object_in(item, "fieldRef")) fill(*field, "apiVersion", "v1");
        });
    };
    if (auto* files = object_in(volume, "downwardAPI")) versions(*files);
    if (auto* projected = object_in(volume, "projected"))
        each(*projected, "sources", [&](json::object& source) {
            if (auto* token = object_in(source, "serviceAccountToken")) fill(*token, "expirationSeconds", 3600);
            if (auto* files = object_in(source, "downwardAPI")) versions(*files);
        });
}

void spec_defaults(json::object& spec, bool of_pod) {
    fill(spec, "restartPolicy", "Always");
    fill(spec, "dnsPolicy", "ClusterFirst");
    fill(spec, "schedulerName", "default-scheduler");
    fill(spec, "terminationGracePeriodSeconds", 30);
    if (auto& grace = spec["terminationGracePeriodSeconds"]; grace.is_int64() && grace.get_int64() < 0) grace = 1;
    if (of_pod) fill(spec, "enableServiceLinks", true);
    fill(spec, "securityContext", json::object());
    bool const host_network = true_in(spec, "hostNetwork");
    for (auto const* list : {"initContainers", "containers"})
        each(spec, list, [&](json::object& container) { container_defaults(container, host_network, of_pod); });
    each(spec, "volumes", volume_defaults);
}

/// Names the account of tokens. Other pods without an account stay without one, and have no access to the server.
/// Upstream: kubernetes `plugin/pkg/admission/serviceaccount/admission.go`, v1.31, for every pod.
void account_default(json::object& spec) {
    if (!text_in(spec, "serviceAccountName").empty() || !text_in(spec, "serviceAccount").empty()) return;
    each(spec, "volumes", [&](json::object& volume) {
        if (auto* projected = object_in(volume, "projected"))
            each(*projected, "sources", [&](json::object& source) {
                if (object_in(source, "serviceAccountToken") != nullptr) spec["serviceAccountName"] = "default";
            });
    });
}

void pod_defaults(json::object& pod, bool creating) {
    if (auto* spec = object_in(pod, "spec")) {
        if (creating) account_default(*spec);
        spec_defaults(*spec, true);
    }
    if (!creating) return;
    json::object status;
    status["phase"] = "Pending";
    pod["status"] = std::move(status);
}

/// For pod templates: the same except for requests, which each pod gets itself.
void template_defaults(json::object& pod_template) {
    if (auto* spec = object_in(pod_template, "spec")) spec_defaults(*spec, false);
}

void job_spec_defaults(json::object& spec) {
    auto const absent = [&](std::string_view name) {
        auto const* v = spec.if_contains(key(name));
        return v == nullptr || v->is_null();
    };
    bool const one = absent("completions") && absent("parallelism");
    if (one) fill(spec, "completions", 1);
    fill(spec, "parallelism", 1);
    constexpr auto unlimited = std::numeric_limits<std::int32_t>::max();
    fill(spec, "backoffLimit", absent("backoffLimitPerIndex") ? 6 : unlimited);
    fill(spec, "completionMode", "NonIndexed");
    fill(spec, "suspend", false);
    fill(spec, "podReplacementPolicy", absent("podFailurePolicy") ? "TerminatingOrFailed" : "Failed");
    fill(spec, "manualSelector", false);
    if (auto* policy = object_in(spec, "podFailurePolicy"))
        each(*policy, "rules", [](json::object& rule) {
            each(rule, "onPodConditions", [](json::object& pattern) { fill(pattern, "status", "True"); });
        });
}

/// Adds the uid of a Job to the labels of its pods and to its selector, so that it selects only its own pods.
void generate_selector(json::object& meta, json::object& spec) {
    json::string const name(key(text_in(meta, "name"))), uid(key(text_in(meta, "uid")));
    auto& labels = child_of(child_of(child_of(spec, "template"), "metadata"), "labels");
    for (auto const* prefix : {"", "batch.kubernetes.io/"}) {
        fill(labels, std::string(prefix) + "job-name", name);
        fill(labels, std::string(prefix) + "controller-uid", uid);
    }
    fill(child_of(child_of(spec, "selector"), "matchLabels"), "batch.kubernetes.io/controller-uid", uid);
}

void job_defaults(json::object& job, bool creating) {
    auto* spec = object_in(job, "spec");
    if (spec == nullptr) return;
    job_spec_defaults(*spec);
    auto& meta = metadata_of(job);
    auto* from = object_in(*spec, "template");
    if (from != nullptr) {
        template_defaults(*from);
        // As written: the labels that distinguish the pods of this Job are only on the pods.
        auto const* template_meta = object_in(*from, "metadata");
        auto const* labels = template_meta != nullptr ? object_in(*template_meta, "labels") : nullptr;
        auto const* own = object_in(meta, "labels");
        if (creating && labels != nullptr && !labels->empty() && (own == nullptr || own->empty())) {
            json::object copy = *labels;
            meta["labels"] = std::move(copy);
        }
    }
    if (creating && !true_in(*spec, "manualSelector")) generate_selector(meta, *spec);
}

/// Upstream: kubernetes `pkg/apis/apps/v1/defaults.go`, v1.31.
void stateful_set_defaults(json::object& set) {
    auto* spec = object_in(set, "spec");
    if (spec == nullptr) return;
    if (auto* from = object_in(*spec, "template")) template_defaults(*from);
    fill(*spec, "replicas", 1);
    fill(*spec, "podManagementPolicy", "OrderedReady");
    fill(*spec, "revisionHistoryLimit", 10);
    auto& strategy = child_of(*spec, "updateStrategy");
    fill(strategy, "type", "RollingUpdate");
    if (text_in(strategy, "type") == "RollingUpdate") fill(child_of(strategy, "rollingUpdate"), "partition", 0);
    auto& retention = child_of(*spec, "persistentVolumeClaimRetentionPolicy");
    fill(retention, "whenDeleted", "Retain");
    fill(retention, "whenScaled", "Retain");
}

/** The defaults of a server with IPv4 addresses for a service that sets none.
    @par Upstream kubernetes `pkg/registry/core/service/storage/alloc.go`, `initIPFamilyFields`, v1.31 */
void headless_defaults(json::object& spec) {
    auto const* selector = object_in(spec, "selector");
    bool const selects = selector != nullptr && !selector->empty();
    fill(spec, "clusterIPs", json::array{"None"});
    // The family of the addresses is unknown if a client writes the endpoints.
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

/// Sets the defaults that volumes and claims share, and the phase of a new object.
void storage_defaults(json::object& object, std::string_view phase, bool creating) {
    auto& spec = object["spec"];
    if (!spec.is_object()) spec.emplace_object();
    fill(spec.get_object(), "volumeMode", "Filesystem");
    if (creating) object["status"] = json::object{{"phase", phase}};
}

/// A new volume is available at once, as this server has no controller of volumes.
void persistent_volume_defaults(json::object& object, bool creating) {
    storage_defaults(object, "Available", creating);
    fill(object["spec"].get_object(), "persistentVolumeReclaimPolicy", "Retain");
}

void claim_defaults(json::object& object, bool creating) { storage_defaults(object, "Pending", creating); }

} // namespace

void set_defaults(resource_definition const& d, json::object& object, bool creating) {
    if (d.custom) return;
    if (d.group == "batch" && d.plural == "jobs") job_defaults(object, creating);
    if (d.group == "apps" && d.plural == "statefulsets") stateful_set_defaults(object);
    if (d.group == "scheduling.k8s.io" && d.plural == "priorityclasses") {
        fill(object, "preemptionPolicy", "PreemptLowerPriority");
        if (creating) metadata_of(object)["generation"] = 1; // and stays so
    }
    if (!d.group.empty()) return;
    if (d.plural == "pods")
        pod_defaults(object, creating);
    else if (d.plural == "services")
        service_defaults(object);
    else if (d.plural == "secrets")
        secret_defaults(object);
    else if (d.plural == "namespaces")
        namespace_defaults(object, creating);
    else if (d.plural == "persistentvolumes")
        persistent_volume_defaults(object, creating);
    else if (d.plural == "persistentvolumeclaims")
        claim_defaults(object, creating);
}

} // namespace kftrain::apiserver
