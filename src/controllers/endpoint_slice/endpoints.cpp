#include "controllers/endpoint_slice/endpoints.hpp"

#include "model/rules/condition_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <array>

namespace kftrain::controllers::endpoint_slices {
namespace {

constexpr std::string_view headless_label = "service.kubernetes.io/headless";
constexpr std::string_view name_label = "kubernetes.io/service-name";
constexpr std::string_view manager_label = "endpointslice.kubernetes.io/managed-by";
constexpr std::string_view manager = "endpointslice-controller.k8s.io";
constexpr std::array reserved{headless_label, name_label, manager_label};

string_map without_reserved(string_map labels) {
    for (auto const key : reserved) labels.erase(std::string(key));
    return labels;
}

std::string protocol_of(std::string const& protocol) { return protocol.empty() ? "TCP" : protocol; }

std::optional<std::int32_t> number_of_port(core::service_port const& of, pod const& p) {
    if (!of.target_port) return of.port; // the default of servers
    if (!of.target_port->is_string()) return of.target_port->number();
    auto const find_in = [&](core::container const& c) -> std::optional<std::int32_t> {
        for (auto const& port : c.ports)
            if (port.name == of.target_port->text() && protocol_of(port.protocol) == protocol_of(of.protocol))
                return port.container_port_;
        return std::nullopt;
    };
    for (auto const& c : p.spec.containers)
        if (auto const found = find_in(c)) return found;
    for (auto const& c : p.spec.init_containers)
        if (is_sidecar(c))
            if (auto const found = find_in(c)) return found;
    return std::nullopt;
}

} // namespace

std::optional<discovery::endpoint> endpoint_of(service const& s, pod const& p) {
    auto const& address = p.status.pod_ip;
    if (has_ended(p) || address.empty() || address.find(':') != address.npos) return std::nullopt;
    bool const terminating = p.metadata.deletion_timestamp.has_value();
    bool const serving = is_true(p.status.conditions, "Ready");
    discovery::endpoint e;
    e.addresses.push_back(address);
    e.conditions.ready = s.spec.publish_not_ready_addresses || (serving && !terminating);
    e.conditions.serving = serving;
    e.conditions.terminating = terminating;
    if (!p.spec.hostname.empty() && p.spec.subdomain == s.metadata.name) e.hostname = p.spec.hostname;
    if (!p.spec.node_name.empty()) e.node_name = p.spec.node_name;
    auto& ref = e.target_ref.emplace();
    ref.kind = pod::resource.kind;
    ref.namespace_ = p.metadata.namespace_;
    ref.name = p.metadata.name;
    ref.uid = p.metadata.uid;
    return e;
}

std::vector<discovery::endpoint_port> ports_of(service const& s, pod const& p) {
    std::vector<discovery::endpoint_port> ports;
    for (auto const& port : s.spec.ports) {
        auto const number = number_of_port(port, p);
        if (!number) continue;
        auto& added = ports.emplace_back();
        added.name = port.name;
        added.port = number;
        added.protocol = protocol_of(port.protocol);
        added.app_protocol = port.app_protocol;
    }
    return ports;
}

std::string key_of_ports(std::vector<discovery::endpoint_port> const& ports) {
    std::vector<std::string> parts;
    for (auto const& p : ports)
        parts.push_back(p.name.value_or("") + '/' + p.protocol.value_or("") + '/' +
                        (p.port ? std::to_string(*p.port) : "*") + '/' + p.app_protocol.value_or("") + ' ');
    std::ranges::sort(parts);
    std::string key;
    for (auto const& part : parts) key += part;
    return key;
}

discovery::endpoint_slice new_slice(service const& s, std::vector<discovery::endpoint_port> ports) {
    discovery::endpoint_slice slice;
    slice.metadata.generate_name = s.metadata.name + "-";
    slice.metadata.namespace_ = s.metadata.namespace_;
    slice.metadata.labels = labels_of_slices(s);
    slice.metadata.owner_references.push_back(controller_reference(s));
    slice.address_type = "IPv4";
    slice.ports = std::move(ports);
    return slice;
}

string_map labels_of_slices(service const& s) {
    auto labels = without_reserved(s.metadata.labels);
    if (s.spec.cluster_ip.empty() || s.spec.cluster_ip == "None") labels[std::string(headless_label)] = "";
    labels[std::string(name_label)] = s.metadata.name;
    labels[std::string(manager_label)] = manager;
    return labels;
}

bool has_other_labels(discovery::endpoint_slice const& slice, service const& s) {
    return without_reserved(slice.metadata.labels) != without_reserved(s.metadata.labels);
}

} // namespace kftrain::controllers::endpoint_slices
