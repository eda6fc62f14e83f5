#include "apiserver/tables/table.hpp"
#include "base/ascii.hpp"

#include <array>
#include <functional>
#include <set>
#include <string>

namespace kftrain::apiserver {
namespace {

constexpr std::array<builtin_column, 9> pod_columns{{{"Name", "string", 0},
                                                     {"Ready", "string", 0},
                                                     {"Status", "string", 0},
                                                     {"Restarts", "string", 0},
                                                     {"Age", "string", 0},
                                                     {"IP", "string", 1},
                                                     {"Node", "string", 1},
                                                     {"Nominated Node", "string", 1},
                                                     {"Readiness Gates", "string", 1}}};
constexpr std::array<builtin_column, 7> service_columns{{{"Name", "string", 0},
                                                         {"Type", "string", 0},
                                                         {"Cluster-IP", "string", 0},
                                                         {"External-IP", "string", 0},
                                                         {"Port(s)", "string", 0},
                                                         {"Age", "string", 0},
                                                         {"Selector", "string", 1}}};
constexpr std::array<builtin_column, 10> event_columns{{{"Last Seen", "string", 0},
                                                        {"Type", "string", 0},
                                                        {"Reason", "string", 0},
                                                        {"Object", "string", 0},
                                                        {"Subobject", "string", 1},
                                                        {"Source", "string", 1},
                                                        {"Message", "string", 0},
                                                        {"First Seen", "string", 1},
                                                        {"Count", "string", 1},
                                                        {"Name", "string", 1}}};
constexpr std::array<builtin_column, 3> namespace_columns{
    {{"Name", "string", 0}, {"Status", "string", 0}, {"Age", "string", 0}}};
constexpr std::array<builtin_column, 3> config_map_columns{
    {{"Name", "string", 0}, {"Data", "string", 0}, {"Age", "string", 0}}};
constexpr std::array<builtin_column, 4> secret_columns{
    {{"Name", "string", 0}, {"Type", "string", 0}, {"Data", "integer", 0}, {"Age", "string", 0}}};
constexpr std::array<builtin_column, 5> node_columns{{{"Name", "string", 0},
                                                      {"Status", "string", 0},
                                                      {"Roles", "string", 0},
                                                      {"Age", "string", 0},
                                                      {"Version", "string", 0}}};
constexpr std::array<builtin_column, 11> volume_columns{{{"Name", "string", 0},
                                                         {"Capacity", "string", 0},
                                                         {"Access Modes", "string", 0},
                                                         {"Reclaim Policy", "string", 0},
                                                         {"Status", "string", 0},
                                                         {"Claim", "string", 0},
                                                         {"StorageClass", "string", 0},
                                                         {"VolumeAttributesClass", "string", 0},
                                                         {"Reason", "string", 0},
                                                         {"Age", "string", 0},
                                                         {"VolumeMode", "string", 1}}};
constexpr std::array<builtin_column, 9> claim_columns{{{"Name", "string", 0},
                                                       {"Status", "string", 0},
                                                       {"Volume", "string", 0},
                                                       {"Capacity", "string", 0},
                                                       {"Access Modes", "string", 0},
                                                       {"StorageClass", "string", 0},
                                                       {"VolumeAttributesClass", "string", 0},
                                                       {"Age", "string", 0},
                                                       {"VolumeMode", "string", 1}}};
constexpr std::array<builtin_column, 8> job_columns{{{"Name", "string", 0},
                                                     {"Status", "string", 0},
                                                     {"Completions", "string", 0},
                                                     {"Duration", "string", 0},
                                                     {"Age", "string", 0},
                                                     {"Containers", "string", 1},
                                                     {"Images", "string", 1},
                                                     {"Selector", "string", 1}}};

constexpr std::array<builtin_column, 5> endpoint_slice_columns{{{"Name", "string", 0},
                                                                {"AddressType", "string", 0},
                                                                {"Ports", "string", 0},
                                                                {"Endpoints", "string", 0},
                                                                {"Age", "string", 0}}};
constexpr std::array<builtin_column, 7> autoscaler_columns{{{"Name", "string", 0},
                                                            {"Reference", "string", 0},
                                                            {"Targets", "string", 0},
                                                            {"MinPods", "string", 0},
                                                            {"MaxPods", "string", 0},
                                                            {"Replicas", "string", 0},
                                                            {"Age", "string", 0}}};

bool is_builtin(resource_definition const& d, std::string_view group, std::string_view plural) {
    return !d.custom && d.group == group && d.plural == plural;
}
bool is_job(resource_definition const& d) { return is_builtin(d, "batch", "jobs"); }
bool is_slice(resource_definition const& d) { return is_builtin(d, "discovery.k8s.io", "endpointslices"); }
bool is_autoscaler(resource_definition const& d) { return is_builtin(d, "autoscaling", "horizontalpodautoscalers"); }

std::string or_none(std::string s) { return s.empty() ? "<none>" : std::move(s); }

/// The STATUS column for a container that waits or has ended; empty if it runs.
std::string ended(json::object const& state) {
    if (auto const* waiting = object_in(state, "waiting")) return std::string(text_in(*waiting, "reason"));
    auto const* terminated = object_in(state, "terminated");
    if (terminated == nullptr) return {};
    if (auto const reason = text_in(*terminated, "reason"); !reason.empty()) return std::string(reason);
    if (auto const signal = integer_in(*terminated, "signal").value_or(0); signal != 0)
        return "Signal:" + std::to_string(signal);
    return "ExitCode:" + std::to_string(integer_in(*terminated, "exitCode").value_or(0));
}

struct pod_summary {
    std::string status;
    std::int64_t ready = 0, total = 0, restarts = 0;
    std::string restarted; // time of the last restart
};

pod_summary summarize(json::object const& pod) {
    pod_summary out;
    auto const* spec = object_in(pod, "spec");
    auto const* found = object_in(pod, "status");
    auto const& status = found != nullptr ? *found : empty_object;
    std::int64_t init_total = 0, init_index = 0;
    std::set<std::string, std::less<>> sidecars;
    if (spec != nullptr) {
        each(*spec, "containers", [&](json::object const&) { ++out.total; });
        each(*spec, "initContainers", [&](json::object const& c) {
            ++init_total;
            if (text_in(c, "restartPolicy") != "Always") return;
            ++out.total;
            sidecars.insert(std::string(text_in(c, "name")));
        });
    }
    out.status = text_in(status, "phase");
    if (auto const reason = text_in(status, "reason"); !reason.empty()) out.status = reason;

    bool initializing = false;
    each(status, "initContainerStatuses", [&](json::object const& c) {
        auto const index = init_index++;
        auto const* state = object_in(c, "state");
        auto const* terminated = state != nullptr ? object_in(*state, "terminated") : nullptr;
        bool const done = terminated != nullptr && integer_in(*terminated, "exitCode").value_or(0) == 0;
        bool const is_sidecar = sidecars.contains(text_in(c, "name"));
        if (is_sidecar && true_in(c, "started") && true_in(c, "ready")) ++out.ready;
        if (initializing || done || (is_sidecar && true_in(c, "started"))) return;
        auto const why = state != nullptr ? ended(*state) : std::string();
        out.status = !why.empty() && why != "PodInitializing"
                         ? "Init:" + why
                         : "Init:" + std::to_string(index) + "/" + std::to_string(init_total);
        initializing = true;
    });
    bool running = false;
    std::string last;
    each(status, "containerStatuses", [&](json::object const& c) {
        out.restarts += integer_in(c, "restartCount").value_or(0);
        if (auto const finished = text_at(c, "lastState.terminated.finishedAt"); finished > out.restarted)
            out.restarted = finished;
        auto const* state = object_in(c, "state");
        if (true_in(c, "ready") && state != nullptr && object_in(*state, "running") != nullptr) {
            running = true;
            ++out.ready;
        } else if (state != nullptr && last.empty()) { // the first container decides
            last = ended(*state);
        }
    });
    if (!initializing) {
        if (!last.empty()) out.status = last;
        if (out.status == "Completed" && running) out.status = "Running";
    }
    if (!text_in(metadata_of(pod), "deletionTimestamp").empty())
        out.status = text_in(status, "reason") == "NodeLost" ? "Unknown" : "Terminating";
    return out;
}

json::array pod_cells(json::object const& pod, time_point now) {
    auto const s = summarize(pod);
    json::array out;
    out.emplace_back(text_at(pod, "metadata.name"));
    out.emplace_back(std::to_string(s.ready) + "/" + std::to_string(s.total));
    out.emplace_back(s.status);
    out.emplace_back(s.restarts != 0 && !s.restarted.empty()
                         ? std::to_string(s.restarts) + " (" + age(s.restarted, now) + " ago)"
                         : std::to_string(s.restarts));
    out.emplace_back(age(text_at(pod, "metadata.creationTimestamp"), now));
    out.emplace_back(or_none(text_at(pod, "status.podIP")));
    out.emplace_back(or_none(text_at(pod, "spec.nodeName")));
    out.emplace_back(or_none(text_at(pod, "status.nominatedNodeName")));
    out.emplace_back("<none>");
    return out;
}

json::array service_cells(json::object const& service, time_point now) {
    std::string ports, selector;
    if (auto const* spec = object_in(service, "spec")) {
        each(*spec, "ports", [&](json::object const& p) {
            if (!ports.empty()) ports += ',';
            ports += std::to_string(integer_in(p, "port").value_or(0));
            if (auto const node = integer_in(p, "nodePort").value_or(0); node != 0) ports += ":" + std::to_string(node);
            ports.append("/").append(text_in(p, "protocol"));
        });
        if (auto const* labels = object_in(*spec, "selector"))
            for (auto const& [k, v] : *labels)
                if (v.is_string())
                    selector.append(selector.empty() ? "" : ",")
                        .append(std::string_view(k.data(), k.size()))
                        .append("=")
                        .append(view(v.get_string()));
    }
    json::array out;
    out.emplace_back(text_at(service, "metadata.name"));
    out.emplace_back(text_at(service, "spec.type"));
    out.emplace_back(or_none(text_at(service, "spec.clusterIP")));
    out.emplace_back("<none>");
    out.emplace_back(or_none(ports));
    out.emplace_back(age(text_at(service, "metadata.creationTimestamp"), now));
    out.emplace_back(or_none(selector));
    return out;
}

json::array event_cells(json::object const& e, time_point now) {
    auto first = text_at(e, "firstTimestamp");
    if (first.empty()) first = text_at(e, "eventTime");
    auto last = text_at(e, "lastTimestamp");
    if (last.empty()) last = first;
    auto const kind = to_lower(text_at(e, "involvedObject.kind"));
    auto source = text_at(e, "source.component");
    if (source.empty()) source = text_at(e, "reportingComponent");
    if (auto const host = text_at(e, "source.host"); !host.empty()) source += ", " + host;
    auto message = text_at(e, "message");
    message.erase(message.find_last_not_of(" \t\r\n") + 1);
    json::array out;
    out.emplace_back(age(last, now));
    out.emplace_back(text_at(e, "type"));
    out.emplace_back(text_at(e, "reason"));
    out.emplace_back(kind + "/" + text_at(e, "involvedObject.name"));
    out.emplace_back(text_at(e, "involvedObject.fieldPath"));
    out.emplace_back(source);
    out.emplace_back(message);
    out.emplace_back(age(first, now));
    out.emplace_back(integer_in(e, "count").value_or(1));
    out.emplace_back(text_at(e, "metadata.name"));
    return out;
}

json::array node_cells(json::object const& node, time_point now) {
    std::string status = "Unknown";
    if (auto const* s = object_in(node, "status"))
        each(*s, "conditions", [&](json::object const& c) {
            if (text_in(c, "type") == "Ready") status = text_in(c, "status") == "True" ? "Ready" : "NotReady";
        });
    if (auto const* spec = object_in(node, "spec"); spec != nullptr && true_in(*spec, "unschedulable"))
        status += ",SchedulingDisabled";
    json::array out;
    out.emplace_back(text_at(node, "metadata.name"));
    out.emplace_back(status);
    out.emplace_back("<none>");
    out.emplace_back(age(text_at(node, "metadata.creationTimestamp"), now));
    out.emplace_back(text_at(node, "status.nodeInfo.kubeletVersion"));
    return out;
}

std::int64_t entries(json::object const& o) {
    std::size_t n = 0;
    for (auto const* part : {"data", "binaryData"})
        if (auto const* data = object_in(o, part)) n += data->size();
    return static_cast<std::int64_t>(n);
}

} // namespace

std::span<builtin_column const> builtin_columns(resource_definition const& d) {
    if (is_job(d)) return job_columns;
    if (is_slice(d)) return endpoint_slice_columns;
    if (is_autoscaler(d)) return autoscaler_columns;
    if (!d.group.empty() || !d.columns.empty()) return {};
    if (d.plural == "pods") return pod_columns;
    if (d.plural == "services") return service_columns;
    if (d.plural == "events") return event_columns;
    if (d.plural == "namespaces") return namespace_columns;
    if (d.plural == "configmaps") return config_map_columns;
    if (d.plural == "secrets") return secret_columns;
    if (d.plural == "nodes") return node_columns;
    if (d.plural == "persistentvolumes") return volume_columns;
    if (d.plural == "persistentvolumeclaims") return claim_columns;
    return {};
}

json::array builtin_cells(resource_definition const& d, json::object const& o, time_point now) {
    if (is_job(d)) return job_cells(o, now);
    if (is_slice(d)) return endpoint_slice_cells(o, now);
    if (is_autoscaler(d)) return autoscaler_cells(o, now);
    if (d.plural == "pods") return pod_cells(o, now);
    if (d.plural == "services") return service_cells(o, now);
    if (d.plural == "events") return event_cells(o, now);
    if (d.plural == "nodes") return node_cells(o, now);
    if (d.plural == "persistentvolumes") return volume_cells(o, now);
    if (d.plural == "persistentvolumeclaims") return claim_cells(o, now);
    json::array out;
    out.emplace_back(text_at(o, "metadata.name"));
    if (d.plural == "namespaces") out.emplace_back(text_at(o, "status.phase"));
    if (d.plural == "configmaps") out.emplace_back(std::to_string(entries(o)));
    if (d.plural == "secrets") {
        out.emplace_back(text_at(o, "type"));
        out.emplace_back(entries(o));
    }
    out.emplace_back(age(text_at(o, "metadata.creationTimestamp"), now));
    return out;
}

} // namespace kftrain::apiserver
