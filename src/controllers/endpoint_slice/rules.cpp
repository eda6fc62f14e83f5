#include "model/rules/condition_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/controllers/endpoint_slice.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/core/service.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kftrain::controllers {
namespace endpoint_slices {
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

/// Absent for a pod that has ended or has no IPv4 address.
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

/// The ports of the service that the pod has.
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

/// Equal for equal ports, in whatever order.
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

/// The labels of its slices: those of the service, and those by which slices are found.
string_map labels_of_slices(service const& s) {
    auto labels = without_reserved(s.metadata.labels);
    if (s.spec.cluster_ip.empty() || s.spec.cluster_ip == "None") labels[std::string(headless_label)] = "";
    labels[std::string(name_label)] = s.metadata.name;
    labels[std::string(manager_label)] = manager;
    return labels;
}

/// An empty slice of the service with these ports.
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

/// Whether the service has changed the labels that its slices copy.
bool has_other_labels(discovery::endpoint_slice const& slice, service const& s) {
    return without_reserved(slice.metadata.labels) != without_reserved(s.metadata.labels);
}

using discovery::endpoint_slice;

constexpr std::string_view pods_row = "pods";
constexpr std::string_view slices_row = "slices";
constexpr std::size_t most_endpoints = 100;

/// Endpoints with equal ports, in the order of the names of their pods.
struct group {
    group() = default;

    std::vector<discovery::endpoint_port> ports;
    std::map<std::string, discovery::endpoint> endpoints;
    std::vector<endpoint_slice const*> slices; ///< the stored ones
};

/// One look at a service, and what follows from it.
class pass {
public:
    explicit pass(rules::look<service> const& look) : service_(look.object) {
        for (auto const& p : look.world.of<pod>(pods_row)) {
            auto made = endpoint_of(service_, p);
            if (!made) continue;
            auto ports = ports_of(service_, p);
            auto& g = groups_[key_of_ports(ports)];
            g.ports = std::move(ports);
            g.endpoints.emplace(p.metadata.name, *std::move(made));
        }
        for (auto const& slice : look.world.of<endpoint_slice>(slices_row)) {
            if (slice.metadata.deletion_timestamp) continue;
            ++stored_;
            auto const at = groups_.find(key_of_ports(slice.ports));
            if (is_own(slice) && at != groups_.end())
                at->second.slices.push_back(&slice);
            else
                removed_.push_back(&slice);
        }
    }

    rules::plan make() {
        for (auto& [key, g] : groups_) fill(g);
        if (created_.empty() && stored_ == removed_.size()) {
            auto placeholder = new_slice(service_, {});
            if (removed_.size() == 1 && is_own(*removed_.front()) && is_equal(*removed_.front(), placeholder))
                removed_.clear();
            else
                created_.push_back(std::move(placeholder));
        }
        rules::plan plan;
        rules::step writes;
        std::erase_if(removed_, [&](endpoint_slice const* slice) { // rewritten instead
            if (created_.empty() || !is_own(*slice)) return false;
            auto next = std::move(created_.back());
            created_.pop_back();
            next.metadata.generate_name.clear();
            next.metadata.name = slice->metadata.name;
            next.metadata.resource_version = slice->metadata.resource_version;
            changed_.push_back(std::move(next));
            return true;
        });
        for (auto& slice : created_) writes.actions.emplace_back(rules::create(std::move(slice)));
        for (auto& slice : changed_) writes.actions.emplace_back(rules::replace(std::move(slice)));
        for (auto const* slice : removed_)
            writes.actions.emplace_back(rules::remove(rules::target(endpoint_slice::resource, slice->metadata)));
        if (!writes.actions.empty()) plan.steps.push_back(std::move(writes));
        return plan;
    }

private:
    /// Others are of an earlier service of this name, and are garbage.
    bool is_own(endpoint_slice const& slice) const {
        return slice.address_type == "IPv4" && std::ranges::any_of(slice.metadata.owner_references, [&](auto const& o) {
                   return o.uid == service_.metadata.uid;
               });
    }
    static bool is_equal(endpoint_slice const& a, endpoint_slice const& b) {
        return a.metadata.labels == b.metadata.labels && a.endpoints == b.endpoints && a.ports == b.ports;
    }
    static std::size_t room_in(endpoint_slice const& slice) {
        return most_endpoints - std::min(most_endpoints, slice.endpoints.size());
    }

    /// As few writes as possible: an endpoint stays in its slice, new ones go to slices that are written anyway.
    void fill(group& g) {
        std::vector<endpoint_slice> changed;
        std::vector<endpoint_slice const*> unchanged;
        for (auto const* slice : g.slices) keep(g, *slice, changed, unchanged);
        std::ranges::sort(changed, {}, [](endpoint_slice const& s) {
            return std::pair(room_in(s), std::string_view(s.metadata.name));
        });
        for (auto& slice : changed) move_into(slice, g);
        if (!g.endpoints.empty() && g.endpoints.size() < most_endpoints) {
            auto const closest = std::ranges::min_element(unchanged, {}, [&](endpoint_slice const* slice) {
                return room_in(*slice) < g.endpoints.size() ? most_endpoints + 1 : room_in(*slice);
            });
            if (closest != unchanged.end() && room_in(**closest) >= g.endpoints.size())
                move_into(changed.emplace_back(**closest), g);
        }
        std::ranges::move(changed, std::back_inserter(changed_));
        while (!g.endpoints.empty()) move_into(created_.emplace_back(new_slice(service_, g.ports)), g);
    }
    /// Takes the endpoints of a stored slice from those that have no place yet.
    void keep(group& g, endpoint_slice const& slice, std::vector<endpoint_slice>& changed,
              std::vector<endpoint_slice const*>& unchanged) {
        endpoint_slice next = slice;
        next.endpoints.clear();
        for (auto const& e : slice.endpoints) {
            auto const at = e.target_ref ? g.endpoints.find(e.target_ref->name) : g.endpoints.end();
            if (at == g.endpoints.end()) continue;
            next.endpoints.push_back(std::move(at->second));
            g.endpoints.erase(at);
        }
        bool const differs = next.endpoints != slice.endpoints;
        if (differs && next.endpoints.empty()) {
            removed_.push_back(&slice);
        } else if (differs || has_other_labels(slice, service_)) {
            next.metadata.labels = labels_of_slices(service_);
            changed.push_back(std::move(next));
        } else {
            unchanged.push_back(&slice);
        }
    }
    static void move_into(endpoint_slice& slice, group& g) {
        while (!g.endpoints.empty() && room_in(slice) > 0) {
            slice.endpoints.push_back(std::move(g.endpoints.begin()->second));
            g.endpoints.erase(g.endpoints.begin());
        }
    }

    service const& service_;
    std::map<std::string, group> groups_; ///< by key_of_ports()
    std::size_t stored_ = 0;
    std::vector<endpoint_slice> created_, changed_;
    std::vector<endpoint_slice const*> removed_;
};

} // namespace
} // namespace endpoint_slices

endpoint_slice_rules::endpoint_slice_rules() {
    rows_.emplace_back(endpoint_slices::pods_row, observed_pod_type(),
                       rules::selected_by<service>([](service const& s) { return s.spec.selector; }));
    rows_
        .emplace_back(endpoint_slices::slices_row, object_type_of<discovery::endpoint_slice>,
                      rules::by_labels("kubernetes.io/service-name"))
        .with_label_selector("endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io");
}

object_type const& endpoint_slice_rules::primary() noexcept { return observed_service_type(); }

bool endpoint_slice_rules::plans_for(service const& s) {
    return !s.spec.selector.empty() && s.spec.type != "ExternalName";
}

rules::plan endpoint_slice_rules::make_plan(rules::look<service> const& look) const {
    return look.object.metadata.deletion_timestamp ? rules::plan() : endpoint_slices::pass(look).make();
}

} // namespace kftrain::controllers
