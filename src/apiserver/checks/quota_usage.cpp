#include "apiserver/checks/quota_usage.hpp"

#include "apiserver/checks/limit_ranges.hpp"
#include "objects/pod_resources.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace kftrain::apiserver {
namespace {

bool is_core(resource_definition const& d, std::string_view plural) { return d.group.empty() && d.plural == plural; }

bool has_ended(json::object const& pod) {
    auto const* const status = object_in(pod, "status");
    auto const phase = status != nullptr ? text_in(*status, "phase") : std::string_view();
    return phase == "Succeeded" || phase == "Failed";
}

void add_claim(json::object const& spec, resource_list& out) {
    out["persistentvolumeclaims"] = quantity::from(1);
    auto const requests = container_amounts(spec, "requests");
    auto const storage = requests.find("storage");
    std::string const of_class(text_in(spec, "storageClassName"));
    std::string const prefix = of_class + ".storageclass.storage.k8s.io/";
    if (!of_class.empty()) out[prefix + "persistentvolumeclaims"] = quantity::from(1);
    if (storage == requests.end()) return;
    out["requests.storage"] = storage->second;
    if (!of_class.empty()) out[prefix + "requests.storage"] = storage->second;
}

void add_service(json::object const& spec, resource_list& out) {
    out["services"] = quantity::from(1);
    auto const type = text_in(spec, "type");
    auto const* const ports = array_in(spec, "ports");
    auto const* const allocates = detail::truth_in(spec, "allocateLoadBalancerNodePorts");
    bool const only_given = type == "LoadBalancer" && allocates != nullptr && !*allocates;
    auto const count = ports == nullptr ? 0 : std::ranges::count_if(*ports, [&](json::value const& port) {
        return !only_given || integer_in(port.get_object(), "nodePort").value_or(0) != 0;
    });
    if (type == "NodePort" || type == "LoadBalancer") out["services.nodeports"] = quantity::from(count);
    if (type == "LoadBalancer") out["services.loadbalancers"] = quantity::from(1);
}

template <class Each> void each_container(json::object const& spec, Each each) {
    for (auto const* list : {"containers", "initContainers"})
        if (auto const* const containers = array_in(spec, list))
            for (auto const& c : *containers) each(c.get_object());
}

bool is_best_effort(json::object const& spec) {
    bool out = true;
    each_container(spec, [&](json::object const& container) {
        for (auto const* list : {"requests", "limits"})
            for (auto const& [name, amount] : container_amounts(container, list))
                if ((name == "cpu" || name == "memory") && !amount.is_zero()) out = false;
    });
    return out;
}

bool has_affinity_elsewhere(json::object const& spec) {
    auto const text = spec.contains("affinity") ? json::serialize(spec.at("affinity")) : std::string();
    return text.find("\"namespaces\":[\"") != text.npos || text.find("\"namespaceSelector\":") != text.npos;
}

bool in_scope(core::scoped_resource_selector_requirement const& r, json::object const& spec) {
    auto const& scope = r.scope_name;
    bool const has_deadline = spec.contains("activeDeadlineSeconds");
    if (scope == "Terminating") return has_deadline;
    if (scope == "NotTerminating") return !has_deadline;
    if (scope == "BestEffort") return is_best_effort(spec);
    if (scope == "NotBestEffort") return !is_best_effort(spec);
    if (scope == "CrossNamespacePodAffinity") return has_affinity_elsewhere(spec);
    if (scope != "PriorityClass") return false;
    auto const name = text_in(spec, "priorityClassName");
    bool const listed = std::ranges::find(r.values, name) != r.values.end();
    if (r.operator_ == "In") return listed;
    if (r.operator_ == "NotIn") return !listed; // also without a class
    return (r.operator_ == "DoesNotExist") == name.empty();
}

std::string print_amounts(resource_list const& list, std::set<std::string> const& names) {
    std::string out;
    for (auto const& name : names) {
        auto const at = list.find(name);
        out += (out.empty() ? "" : ",") + name + "=" + (at == list.end() ? "0" : at->second.canonical());
    }
    return out;
}

} // namespace

resource_list quota_usage(resource_definition const& d, json::object const& object) {
    resource_list out;
    out["count/" + d.qualified_plural()] = quantity::from(1);
    auto const* found = object_in(object, "spec");
    auto const& spec = found != nullptr ? *found : empty_object;
    for (auto const* plural : {"configmaps", "secrets", "resourcequotas"})
        if (is_core(d, plural)) out[plural] = quantity::from(1);
    if (is_core(d, "persistentvolumeclaims")) add_claim(spec, out);
    if (is_core(d, "services")) add_service(spec, out);
    if (!is_core(d, "pods") || has_ended(object)) return out;
    auto const compute = quota_amounts(pod_amounts(spec, "requests"), pod_amounts(spec, "limits"));
    out.insert(compute.begin(), compute.end());
    out["pods"] = quantity::from(1);
    return out;
}

bool quota_includes(core::resource_quota_spec const& quota, resource_definition const& d, json::object const& object) {
    auto const* const spec = object_in(object, "spec");
    bool const scoped =
        !quota.scopes.empty() || (quota.scope_selector.has_value() && !quota.scope_selector->match_expressions.empty());
    if (!scoped) return true;
    if (!is_core(d, "pods") || spec == nullptr) return false;
    bool in = std::ranges::all_of(quota.scopes, [&](std::string const& scope) {
        core::scoped_resource_selector_requirement r;
        r.scope_name = scope;
        r.operator_ = "Exists";
        return in_scope(r, *spec);
    });
    if (quota.scope_selector.has_value())
        for (auto const& r : quota.scope_selector->match_expressions) in = in && in_scope(r, *spec);
    return in;
}

std::string quota_omissions(core::resource_quota_spec const& quota, resource_definition const& d,
                            json::object const& object) {
    auto const* const spec = object_in(object, "spec");
    if (!is_core(d, "pods") || spec == nullptr) return {};
    constexpr std::array<std::string_view, 6> demanded{"cpu",    "limits.cpu",   "limits.memory",
                                                       "memory", "requests.cpu", "requests.memory"};
    std::map<std::string, std::set<std::string>> missing;
    each_container(*spec, [&](json::object const& container) {
        auto const usage =
            quota_amounts(container_amounts(container, "requests"), container_amounts(container, "limits"));
        for (auto const& [name, hard] : quota.hard)
            if (std::ranges::find(demanded, name) != demanded.end() && !usage.contains(name))
                missing[name].emplace(text_in(container, "name"));
    });
    std::string out;
    for (auto const& [name, containers] : missing) {
        out += (out.empty() ? "must specify " : "; ") + name + " for: ";
        for (bool first = true; auto const& c : containers) out += (std::exchange(first, false) ? "" : ",") + c;
    }
    return out;
}

bool is_charged_on_update(resource_definition const& d) {
    return is_core(d, "services") || is_core(d, "persistentvolumeclaims");
}

std::string quota_fault(std::string_view name, core::resource_quota_spec const& quota, resource_list const& used,
                        resource_definition const& d, json::object const& object, json::object const* old) {
    if (!quota_includes(quota, d, object)) return {};
    if (auto const omitted = quota_omissions(quota, d, object); !omitted.empty())
        return "failed quota: " + std::string(name) + ": " + omitted;
    auto requested = quota_usage(d, object);
    if (old != nullptr)
        for (auto const& [resource, amount] : quota_usage(d, *old))
            if (auto const at = requested.find(resource); at != requested.end())
                at->second = std::max(at->second + amount * -1, quantity::from(0));
    std::set<std::string> exceeded;
    for (auto const& [resource, amount] : requested) {
        auto const hard = quota.hard.find(resource);
        if (hard == quota.hard.end() || amount.is_zero()) continue;
        auto const at = used.find(resource);
        if ((at == used.end() ? amount : at->second + amount) > hard->second) exceeded.insert(resource);
    }
    if (exceeded.empty()) return {};
    return "exceeded quota: " + std::string(name) + ", requested: " + print_amounts(requested, exceeded) +
           ", used: " + print_amounts(used, exceeded) + ", limited: " + print_amounts(quota.hard, exceeded);
}

} // namespace kftrain::apiserver
