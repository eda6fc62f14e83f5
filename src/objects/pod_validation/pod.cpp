#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/value_syntax.hpp"
#include "objects/pod_validation.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <limits>
#include <set>

namespace kftrain {
namespace {

using namespace pod_checks;

constexpr std::array<std::string_view, 3> restart_policies{"Always", "OnFailure", "Never"};
constexpr std::array<std::string_view, 4> dns_policies{"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"};
constexpr std::array<std::string_view, 2> preemption_policies{"PreemptLowerPriority", "Never"};
constexpr std::array<std::string_view, 2> systems{"linux", "windows"};
constexpr std::string_view no_address = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/// Upstream prints lists with their type.
std::string go_syntax(std::vector<std::string> const& list) {
    return "[]string{" + joined(list, ", ", go_text::quoted) + "}";
}

void check_name(std::string const& name, std::string const& field, name_rule rule, field_faults& found) {
    if (!name.empty()) found.invalid_text(field, name, rule(name, false));
}

void check_host_network(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    if (!spec.host_network) return;
    for (std::size_t i = 0; i < spec.containers.size(); ++i) {
        field_path const container(path, "containers", i);
        auto const& ports = spec.containers[i].ports;
        for (std::size_t k = 0; k < ports.size(); ++k) {
            field_path const at(container, "ports", k);
            if (ports[k].host_port != 0 && ports[k].host_port != ports[k].container_port_)
                found.invalid(at.text("hostPort"), ports[k].host_port,
                              "must match `containerPort` when `hostNetwork` is true");
        }
    }
}

void check_dns(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    field_path const at(path, "dnsConfig");
    if (spec.dns_policy == "None") {
        if (!spec.dns_config) return found.required(at.text(), "must provide `dnsConfig` when `dnsPolicy` is None");
        if (spec.dns_config->nameservers.empty())
            return found.required(at.text("nameservers"),
                                  "must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
    if (!spec.dns_config) return;
    auto const& [servers, searches, options, unknown] = *spec.dns_config;
    if (servers.size() > 3)
        found.invalid(at.text("nameservers"), std::string_view(go_syntax(servers)),
                      "must not have more than 3 nameservers");
    for (std::size_t i = 0; i < servers.size(); ++i)
        if (!is_address(servers[i])) found.invalid_text(at.text("nameservers", i), servers[i], no_address);
    if (searches.size() > 32)
        found.invalid(at.text("searches"), std::string_view(go_syntax(searches)),
                      "must not have more than 32 search paths");
    std::size_t characters = searches.empty() ? 0 : searches.size() - 1; // blanks between
    for (auto const& s : searches) characters += s.size();
    if (characters > 2048)
        found.invalid(at.text("searches"), std::string_view(go_syntax(searches)),
                      "must not have more than 2048 characters (including spaces) in the search list");
    for (std::size_t i = 0; i < searches.size(); ++i) {
        std::string_view name = searches[i];
        if (name.ends_with('.')) name.remove_suffix(1);
        found.invalid_text(at.text("searches", i), name, dns_subdomain_faults(name));
    }
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].name.empty()) found.required(at.text("options", i), "must not be empty");
}

void check_gates(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    for (std::size_t i = 0; i < spec.readiness_gates.size(); ++i) {
        auto const& type = spec.readiness_gates[i].condition_type;
        field_path const at(path, "readinessGates", i);
        found.invalid_text(at.text("conditionType"), type, label_key_faults(type));
    }
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < spec.scheduling_gates.size(); ++i) {
        auto const& name = spec.scheduling_gates[i].name;
        field_path const at(path, "schedulingGates", i);
        found.invalid_text(at.text(), name, label_key_faults(name));
        if (!seen.insert(name).second) found.duplicate(at.text(), name);
    }
}

void check_aliases(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    for (std::size_t i = 0; i < spec.host_aliases.size(); ++i) {
        auto const& alias = spec.host_aliases[i];
        field_path const at(path, "hostAliases", i);
        if (!is_address(alias.ip)) found.invalid_text(at.text("ip"), alias.ip, no_address);
        for (std::size_t k = 0; k < alias.hostnames.size(); ++k)
            found.invalid_text(at.text("hostnames", k), alias.hostnames[k], dns_subdomain_faults(alias.hostnames[k]));
    }
}

void check_system(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    if (!spec.os) return;
    field_path const at(path, "os");
    if (spec.os->name.empty())
        found.required(at.text("name"), "cannot be empty");
    else if (!is_one_of(spec.os->name, systems))
        found.unsupported(at.text(), spec.os->name, systems);
}

} // namespace

void pod_checks::check_specification(core::pod_spec const& spec, std::string_view name, field_faults& found) {
    field_path const path("spec");
    auto const volumes = check_volumes(spec, name, path, found);
    surroundings const around{spec, volumes};
    check_containers(around, path, found);
    check_init_containers(around, path, found);
    check_host_network(spec, path, found);
    if (!spec.restart_policy.empty() && !is_one_of(spec.restart_policy, restart_policies))
        found.unsupported(path.text("restartPolicy"), spec.restart_policy, restart_policies);
    if (!spec.dns_policy.empty() && !is_one_of(spec.dns_policy, dns_policies))
        found.unsupported(path.text("dnsPolicy"), spec.dns_policy, dns_policies);
    for (auto const& [key, value] : spec.node_selector) {
        found.invalid_text(path.text("nodeSelector"), key, label_key_faults(key));
        found.invalid_text(path.text("nodeSelector"), value, label_value_faults(value));
    }
    check_pod_security(spec, path, found);
    if (spec.affinity) check_affinity(*spec.affinity, field_path(path, "affinity"), found);
    check_dns(spec, path, found);
    check_gates(spec, path, found);
    check_spread(spec.topology_spread_constraints, path, found);
    auto const& account = spec.service_account_name.empty() ? spec.service_account : spec.service_account_name;
    check_name(account, path.text("serviceAccountName"), dns_subdomain_faults, found);
    check_name(spec.node_name, path.text("nodeName"), dns_subdomain_faults, found);
    constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
    if (auto const& deadline = spec.active_deadline_seconds; deadline && (*deadline < 1 || *deadline > last))
        found.invalid(path.text("activeDeadlineSeconds"), *deadline, outside(1, last));
    check_name(spec.hostname, path.text("hostname"), dns_label_faults, found);
    check_name(spec.subdomain, path.text("subdomain"), dns_label_faults, found);
    check_tolerations(spec.tolerations, path, found);
    check_aliases(spec, path, found);
    check_name(spec.priority_class_name, path.text("priorityClassName"), dns_subdomain_faults, found);
    if (spec.runtime_class_name)
        found.invalid_text(path.text("runtimeClassName"), *spec.runtime_class_name,
                           dns_subdomain_faults(*spec.runtime_class_name));
    if (auto const& policy = spec.preemption_policy; policy && !is_one_of(*policy, preemption_policies))
        found.unsupported(path.text("preemptionPolicy"), *policy, preemption_policies);
    if (!spec.overhead.empty()) check_resources(spec.overhead, spec.overhead, field_path(path, "overhead"), found);
    check_system(spec, path, found);
    check_images(spec.containers, "containers", path, found);
    check_images(spec.init_containers, "initContainers", path, found);
}

std::vector<schema_violation> created_pod_faults(pod const& p) {
    field_faults found;
    check_specification(p.spec, p.metadata.name, found);
    if (!p.spec.ephemeral_containers.empty()) found.forbidden("spec.ephemeralContainers", "cannot be set on create");
    if (!p.spec.node_name.empty() && !p.spec.scheduling_gates.empty())
        found.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
    return found.take();
}

std::string pod_rule(schema_violation const& fault) {
    std::string_view rest = fault.field;
    auto const skip = [&](std::string_view prefix) {
        bool const there = rest.starts_with(prefix);
        if (there) rest.remove_prefix(prefix.size());
        return there;
    };
    std::string rule = "pod.";
    if (skip("spec.")) {
        for (std::string_view const list : {"containers[", "initContainers[", "ephemeralContainers["})
            if (skip(list)) {
                rest.remove_prefix(std::min(rest.find(']') + 1, rest.size()));
                if (skip(".")) rule += "container.";
                break;
            }
    }
    for (char const c : rest.substr(0, rest.find_first_of(".["))) {
        if (is_upper(c) && !rule.ends_with('.')) rule += '-';
        rule += to_lower(c);
    }
    return rule;
}

} // namespace kftrain
