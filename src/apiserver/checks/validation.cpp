#include "apiserver/checks/validation.hpp"

#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/is_one_of.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/value_syntax.hpp"
#include "model/schema/field_faults.hpp"
#include "objects/pod_validation.hpp"
#include "objects/pod_validation/checks.hpp"

#include <kftrain/model/quantity.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>
#include <tuple>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;

/// `spec.ports[1]`, and a member of it.
std::string at(std::string_view list, std::size_t index, std::string_view member = {}) {
    auto path = std::string(list) + "[" + std::to_string(index) + "]";
    if (!member.empty()) path.append(".").append(member);
    return path;
}

/// A port number as upstream prints the pair that must be unique: its Go struct with the other members empty.
std::string go_text(std::string_view protocol, std::int64_t port) {
    return "core.ServicePort{Name:\"\", Protocol:" + in_quotes(protocol) +
           ", AppProtocol:(*string)(nil), Port:" + std::to_string(port) +
           ", TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:\"\"}, NodePort:0}";
}

causes to_causes(std::vector<schema_violation> faults) {
    causes out;
    for (auto& f : faults) out.emplace_back(std::move(f.reason), std::move(f.message), std::move(f.field));
    return out;
}

void check_service_port(json::object const& port, bool several, std::set<std::string_view>& names,
                        field_path const& here, field_faults& found) {
    auto const name = text_in(port, "name");
    if (name.empty()) {
        if (several) found.required(here.text("name"));
    } else {
        found.invalid_text(here.text("name"), name, dns_label_faults(name));
        if (!names.insert(name).second) found.duplicate(here.text("name"), name);
    }
    auto const number = integer_in(port, "port").value_or(0);
    for (auto const& why : port_number_faults(number)) found.invalid(here.text("port"), number, why);
    constexpr std::array<std::string_view, 3> protocols{"SCTP", "TCP", "UDP"};
    if (auto const protocol = text_in(port, "protocol"); !is_one_of(protocol, protocols))
        found.unsupported(here.text("protocol"), protocol, protocols);
    auto const* target = port.if_contains("targetPort");
    if (target == nullptr) return;
    if (auto const* text = target->if_string())
        found.invalid_text(here.text("targetPort"), view(*text), port_name_faults(view(*text)));
    else if (auto const* n = target->if_int64())
        for (auto const& why : port_number_faults(*n)) found.invalid(here.text("targetPort"), *n, why);
}

causes check_service(json::object const& service) {
    causes found;
    auto const* spec = object_in(service, "spec");
    auto const* ports = spec != nullptr ? array_in(*spec, "ports") : nullptr;
    bool const headless = spec != nullptr && text_in(*spec, "clusterIP") == "None";
    bool const external = spec != nullptr && text_in(*spec, "type") == "ExternalName";
    if ((ports == nullptr || ports->empty()) && !headless && !external)
        found.emplace_back("FieldValueRequired", "Required value", "spec.ports");
    if (spec == nullptr) return found;
    json::array const none;
    if (ports == nullptr) ports = &none;
    field_path const path("spec");
    field_faults wrong;
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < ports->size(); ++i)
        if (auto const* port = (*ports)[i].if_object())
            check_service_port(*port, ports->size() > 1, names, field_path(path, "ports", i), wrong);
    if (auto const* selector = object_in(*spec, "selector"))
        for (auto const& [name, value] : *selector) {
            std::string_view const label(name.data(), name.size());
            wrong.invalid_text(path.text("selector"), label, label_key_faults(label));
            if (auto const* text = value.if_string())
                wrong.invalid_text(path.text("selector"), view(*text), label_value_faults(view(*text)));
        }
    constexpr std::array<std::string_view, 2> affinities{"ClientIP", "None"};
    if (auto const affinity = text_in(*spec, "sessionAffinity"); !is_one_of(affinity, affinities))
        wrong.unsupported(path.text("sessionAffinity"), affinity, affinities);
    std::ranges::move(to_causes(wrong.take()), std::back_inserter(found));
    std::set<std::tuple<std::string_view, std::int64_t>> pairs;
    for (std::size_t i = 0; i < ports->size(); ++i) {
        auto const* port = (*ports)[i].if_object();
        if (port == nullptr) continue;
        auto const protocol = text_in(*port, "protocol");
        auto const number = integer_in(*port, "port").value_or(0);
        if (!pairs.emplace(protocol, number).second)
            found.emplace_back("FieldValueDuplicate", "Duplicate value: " + go_text(protocol, number),
                               at("spec.ports", i));
    }
    return found;
}

/// Upstream serves a subresource that finalizes namespaces. It is not served here, so a namespace with other finalizers
/// would never be deleted.
causes check_namespace(json::object const& ns) {
    causes found;
    auto const* spec = object_in(ns, "spec");
    auto const* finalizers = spec != nullptr ? array_in(*spec, "finalizers") : nullptr;
    if (finalizers == nullptr) return found;
    for (auto const& f : *finalizers)
        if (f != "kubernetes")
            found.emplace_back("FieldValueForbidden",
                               "Forbidden: this server finalizes namespaces itself, expected \"kubernetes\" alone",
                               "spec.finalizers");
    return found;
}

/// The containers of one list that the new status brings back to life.
void check_revived(std::string_view list, std::string_view policy, json::object const& before,
                   json::object const& after, causes& found) {
    auto const* old_list = array_in(before, list);
    auto const* new_list = array_in(after, list);
    if (old_list == nullptr || new_list == nullptr) return;
    for (std::size_t i = 0; i < old_list->size(); ++i) {
        auto const* old = (*old_list)[i].if_object();
        auto const* state = old != nullptr ? object_in(*old, "state") : nullptr;
        auto const* ended = state != nullptr ? object_in(*state, "terminated") : nullptr;
        if (ended == nullptr) continue;
        if (policy == "OnFailure" && integer_in(*ended, "exitCode").value_or(0) != 0) continue;
        for (auto const& entry : *new_list) {
            auto const* now = entry.if_object();
            if (now == nullptr || text_in(*now, "name") != text_in(*old, "name")) continue;
            auto const* next = object_in(*now, "state");
            if (next == nullptr || object_in(*next, "terminated") == nullptr)
                found.emplace_back("FieldValueForbidden", "Forbidden: may not be transitioned to non-terminated state",
                                   at("status." + std::string(list), i, "state"));
        }
    }
}

bool is_priority_class(resource_definition const& d) {
    return !d.custom && d.group == "scheduling.k8s.io" && d.plural == "priorityclasses";
}

/** Names of the system's own classes are refused to all, as no class of the system is made here.
    @par Upstream kubernetes v1.31 `pkg/apis/scheduling/validation/validation.go` */
causes check_priority_class(json::object const& object) {
    field_faults found;
    auto const* meta = object_in(object, "metadata");
    if (auto const name = meta != nullptr ? text_in(*meta, "name") : std::string_view{}; name.starts_with("system-"))
        found.forbidden("metadata.name",
                        "priority class names with 'system-' prefix are reserved for system use only. error: " +
                            std::string(name) + " is not a known system priority class");
    if (integer_in(object, "value").value_or(0) > 1'000'000'000)
        found.forbidden("value", "maximum allowed value of a user defined priority is 1000000000");
    constexpr std::array<std::string_view, 2> policies{"PreemptLowerPriority", "Never"};
    if (auto const policy = text_in(object, "preemptionPolicy"); !policy.empty() && !is_one_of(policy, policies))
        found.unsupported("preemptionPolicy", policy, policies);
    return to_causes(found.take());
}

causes check_priority_class_update(json::object const& old, json::object const& next) {
    auto found = check_priority_class(next);
    field_faults changed;
    if (integer_in(old, "value") != integer_in(next, "value"))
        changed.forbidden("value", "may not be changed in an update.");
    auto const policy = text_in(next, "preemptionPolicy");
    if (policy != text_in(old, "preemptionPolicy"))
        changed.invalid_text("preemptionPolicy", policy, "field is immutable");
    std::ranges::move(to_causes(changed.take()), std::back_inserter(found));
    return found;
}

causes check_config(resource_definition const& d, json::object const* old, json::object const& next) {
    field_faults found;
    if (d.plural == "configmaps")
        old != nullptr ? check_config_map_update(*old, next, found) : check_config_map(next, found);
    else
        old != nullptr ? check_secret_update(*old, next, found) : check_secret(next, found);
    return to_causes(found.take());
}

bool is_scaling(resource_definition const& d) {
    return !d.custom && (d.plural == "horizontalpodautoscalers" || d.plural == "endpointslices");
}

causes check_scaling(resource_definition const& d, json::object const* old, json::object const& next) {
    field_faults found;
    if (d.plural == "endpointslices")
        check_endpoint_slice(old, next, found);
    else
        check_autoscaler(next, found);
    return to_causes(found.take());
}

/// @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidatePersistentVolumeSpec`, v1.31: the parts
/// that every volume has
causes check_volume(json::object const& volume) {
    field_faults found;
    constexpr std::array<std::string_view, 4> modes{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
                                                    "ReadWriteOncePod"};
    constexpr std::array<std::string_view, 3> policies{"Delete", "Recycle", "Retain"};
    constexpr std::array<std::string_view, 9> no_source{"accessModes",      "capacity",
                                                        "claimRef",         "mountOptions",
                                                        "nodeAffinity",     "persistentVolumeReclaimPolicy",
                                                        "storageClassName", "volumeAttributesClassName",
                                                        "volumeMode"};
    json::object const none;
    auto const* const given = object_in(volume, "spec");
    auto const& spec = given != nullptr ? *given : none;
    auto const* const listed = array_in(spec, "accessModes");
    if (listed == nullptr || listed->empty()) found.required("spec.accessModes");
    for (std::size_t i = 0; listed != nullptr && i < listed->size(); ++i)
        if (auto const* const mode = (*listed)[i].if_string(); mode != nullptr && !is_one_of(view(*mode), modes))
            found.unsupported("spec.accessModes", view(*mode), modes);
    auto const* const capacity = object_in(spec, "capacity");
    if (capacity == nullptr || capacity->empty())
        found.required("spec.capacity");
    else if (!capacity->contains("storage") || capacity->size() > 1)
        found.invalid("spec.capacity", json::serialize(*capacity), "expected storage only");
    else if (auto const storage = quantity::parse(text_in(*capacity, "storage")); storage && storage->sign() <= 0)
        found.invalid_text("spec.capacity[storage]", storage->text(), "must be greater than zero");
    for (std::string const source : {"hostPath", "local"}) {
        auto const* const its = object_in(spec, source);
        if (its == nullptr) continue;
        auto const field = "spec." + source + ".path";
        auto const path = text_in(*its, "path");
        if (path.empty()) found.required(field);
        pod_checks::check_no_backsteps(path, field, found);
    }
    if (std::ranges::all_of(spec, [&](auto const& member) { return is_one_of(member.key(), no_source); }))
        found.required("spec", "must specify a volume type");
    auto const policy = text_in(spec, "persistentVolumeReclaimPolicy");
    if (!policy.empty() && !is_one_of(policy, policies))
        found.unsupported("spec.persistentVolumeReclaimPolicy", policy, policies);
    return to_causes(found.take());
}

bool is_config(resource_definition const& d) {
    return !d.custom && d.group.empty() && (d.plural == "configmaps" || d.plural == "secrets");
}

} // namespace

causes check_builtin_specification(resource_definition const& d, json::object const& object, void const* typed) {
    if (!d.custom && d.group == "batch" && d.plural == "jobs") return check_job(object, typed);
    if (!d.custom && d.group == "apps" && d.plural == "statefulsets") return check_stateful_set(object, typed);
    if (is_priority_class(d)) return check_priority_class(object);
    if (is_config(d)) return check_config(d, nullptr, object);
    if (is_scaling(d)) return check_scaling(d, nullptr, object);
    if (!d.group.empty()) return {};
    if (d.plural == "pods" && typed != nullptr) return to_causes(created_pod_faults(*static_cast<pod const*>(typed)));
    if (d.plural == "namespaces") return check_namespace(object);
    if (d.plural == "persistentvolumes") return check_volume(object);
    return d.plural == "services" ? check_service(object) : causes();
}

causes check_builtin_update(resource_definition const& d, json::object const& old, json::object const& next) {
    if (!d.custom && d.group == "batch" && d.plural == "jobs") return check_job_update(old, next);
    if (!d.custom && d.group == "apps" && d.plural == "statefulsets") return check_stateful_set_update(old, next);
    if (is_priority_class(d)) return check_priority_class_update(old, next);
    if (is_config(d)) return check_config(d, &old, next);
    if (is_scaling(d)) return check_scaling(d, &old, next);
    if (!d.group.empty() || d.plural != "pods") return check_builtin_specification(d, next, nullptr);
    auto const* before = old.if_contains("spec");
    auto const* after = next.if_contains("spec");
    if (before != nullptr && after != nullptr && same_value(*before, *after))
        return {}; // as it was found to be in order
    auto const stored = read_type(d, old);
    auto const written = read_type(d, next);
    if (!stored || !written || !*stored || !*written) return {};
    return to_causes(
        updated_pod_faults(*static_cast<pod const*>(written->get()), *static_cast<pod const*>(stored->get())));
}

causes check_builtin_status(resource_definition const& d, json::object const& old, json::object const& next) {
    causes found;
    if (!d.group.empty() || d.plural != "pods") return found;
    auto const* spec = object_in(old, "spec");
    auto const* before = object_in(old, "status");
    auto const* after = object_in(next, "status");
    auto const policy = spec != nullptr ? text_in(*spec, "restartPolicy") : std::string_view{};
    if (policy == "Always" || before == nullptr || after == nullptr) return found;
    check_revived("containerStatuses", policy, *before, *after, found);
    return found;
}

} // namespace kftrain::apiserver
