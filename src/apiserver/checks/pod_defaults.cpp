#include "apiserver/text/default_values.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

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

/// What is limited and not requested is requested as far as it is limited.
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

} // namespace

void set_pod_defaults(json::object& pod, bool creating) {
    if (auto* spec = object_in(pod, "spec")) {
        if (creating) account_default(*spec);
        spec_defaults(*spec, true);
    }
    if (!creating) return;
    json::object status;
    status["phase"] = "Pending";
    pod["status"] = std::move(status);
}

void set_template_defaults(json::object& pod_template) {
    if (auto* spec = object_in(pod_template, "spec")) spec_defaults(*spec, false);
}

} // namespace kftrain::apiserver
