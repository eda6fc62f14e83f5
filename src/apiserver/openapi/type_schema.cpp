#include "apiserver/openapi/type_schema.hpp"

#include "model/codec/list_keys.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/quantity.hpp>
#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <array>
#include <utility>

// Every source that describes an object with such members holds these tables.
extern template struct kftrain::model::table<kftrain::micro_time>;

namespace kftrain::apiserver {
namespace {

constexpr std::string_view meta_package = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/// The packages of the namespaces in which the structs of Kubernetes are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> packages{
    {{"apps", "io.k8s.api.apps.v1."},
     {"authorization", "io.k8s.api.authorization.v1."},
     {"autoscaling", "io.k8s.api.autoscaling.v2."},
     {"batch", "io.k8s.api.batch.v1."},
     {"coordination", "io.k8s.api.coordination.v1."},
     {"core", "io.k8s.api.core.v1."},
     {"discovery", "io.k8s.api.discovery.v1."},
     {"events", "io.k8s.api.events.v1."},
     {"networking", "io.k8s.api.networking.v1."},
     {"rbac", "io.k8s.api.rbac.v1."},
     {"scheduling", "io.k8s.api.scheduling.v1."}}};

/// The words that Go writes in capitals, or in its own way.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> capitals{
    {{"api", "API"}, {"aws", "AWS"},     {"ceph", "Ceph"}, {"csi", "CSI"}, {"dns", "DNS"},   {"fc", "FC"},
     {"fs", "FS"},   {"gce", "GCE"},     {"grpc", "GRPC"}, {"hpa", "HPA"}, {"http", "HTTP"}, {"io", "IO"},
     {"ip", "IP"},   {"iscsi", "ISCSI"}, {"nfs", "NFS"},   {"os", "OS"},   {"rbd", "RBD"},   {"se", "SE"},
     {"tcp", "TCP"}, {"uid", "UID"},     {"url", "URL"}}};

/// The structs that are applied as a whole.
constexpr std::array<std::string_view, 17> atomic_types{"core.v1.ConfigMapKeySelector",
                                                        "core.v1.EndpointAddress",
                                                        "core.v1.EndpointPort",
                                                        "core.v1.LocalObjectReference",
                                                        "core.v1.NodeSelector",
                                                        "core.v1.NodeSelectorTerm",
                                                        "core.v1.ObjectFieldSelector",
                                                        "core.v1.ObjectReference",
                                                        "core.v1.ResourceFieldSelector",
                                                        "core.v1.ScopeSelector",
                                                        "core.v1.SecretKeySelector",
                                                        "core.v1.TypedLocalObjectReference",
                                                        "discovery.v1.EndpointPort",
                                                        "meta.v1.LabelSelector",
                                                        "meta.v1.OwnerReference",
                                                        "rbac.v1.RoleRef",
                                                        "rbac.v1.Subject"};
/// Likewise, the lists and maps that are members of structs.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> atomic_lists{
    {{"batch.v1.JobStatus", "conditions"}, {"core.v1.PodStatus", "hostIPs"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> atomic_maps{
    {{"core.v1.PodSpec", "nodeSelector"}, {"core.v1.ServiceSpec", "selector"}}};

/// Members that servers always write, and clients need not.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> optional_members{
    {{"apps.v1.StatefulSetOrdinals", "start"},
     {"apps.v1.StatefulSetStatus", "availableReplicas"},
     {"core.v1.EventSeries", "count"}}};

template <std::size_t N>
bool is_listed(std::array<std::pair<std::string_view, std::string_view>, N> const& members, std::string_view owner,
               std::string_view member) {
    return std::ranges::any_of(members, [&](auto const& m) { return m.second == member && owner.ends_with(m.first); });
}

std::string camel_case(std::string_view name) {
    std::string out;
    while (!name.empty()) {
        auto const word = name.substr(0, name.find('_'));
        name.remove_prefix(std::min(word.size() + 1, name.size()));
        auto const* const known =
            std::ranges::find(capitals, word, &std::pair<std::string_view, std::string_view>::first);
        if (known != capitals.end()) {
            out += known->second;
        } else if (!word.empty()) {
            out +=
                static_cast<char>(word.front() >= 'a' && word.front() <= 'z' ? word.front() - 'a' + 'A' : word.front());
            out += word.substr(1);
        }
    }
    return out;
}

model::descriptor const& inner(model::descriptor const& d) {
    auto const* type = &d;
    while (type->kind == model::shape::optional) type = type->element;
    return *type;
}

json::object plain(char const* type, char const* format = nullptr) {
    json::object out;
    out["type"] = type;
    if (format != nullptr) out["format"] = format;
    return out;
}

void add_list_rules(model::field const& f, json::object& schema) {
    auto const keys = detail::key_fields(f);
    if (keys == "*") {
        schema["x-kubernetes-list-type"] = "set";
    } else if (!keys.empty()) {
        schema["x-kubernetes-list-type"] = "map";
        json::array names;
        for (auto const name : detail::key_names(keys)) names.emplace_back(key(name));
        schema["x-kubernetes-list-map-keys"] = std::move(names);
    } else {
        schema["x-kubernetes-list-type"] = "atomic";
    }
    if (f.merge_key.empty() && !f.retain_keys) return;
    if (!f.merge_key.empty() && f.merge_key != "*") schema["x-kubernetes-patch-merge-key"] = key(f.merge_key);
    schema["x-kubernetes-patch-strategy"] = f.merge_key.empty() ? "retainKeys"
                                            : f.retain_keys     ? "merge,retainKeys"
                                                                : "merge";
}

} // namespace

std::string definition_name(std::string_view type_name) {
    constexpr std::string_view root = "kftrain::";
    if (type_name.starts_with(root)) type_name.remove_prefix(root.size());
    auto const end = type_name.rfind("::");
    auto const space = end == type_name.npos ? std::string_view() : type_name.substr(0, end);
    auto const name = camel_case(end == type_name.npos ? type_name : type_name.substr(end + 2));
    if (space == "meta") return std::string(meta_package) + name;
    for (auto const& [from, package] : packages)
        if (space == from) return std::string(package) + name;
    return "io.kftrain." + std::string(space.substr(0, space.find(':'))) + "." + name;
}

bool is_atomic_type(model::descriptor const& type) {
    if (type.kind != model::shape::object) return false;
    auto const name = definition_name(type.type_name);
    return std::ranges::any_of(atomic_types, [&](auto const known) { return name.ends_with(known); });
}

bool is_atomic_member(model::descriptor const& owner, std::string_view member) {
    if (member != "nodeSelector" && member != "selector" && member != "conditions" && member != "hostIPs") return false;
    auto const name = definition_name(owner.type_name);
    return is_listed(atomic_maps, name, member) || is_listed(atomic_lists, name, member);
}

json::object type_schemas::refer(std::string_view name) const {
    json::object out;
    out["$ref"] = prefix_ + std::string(name);
    return out;
}

json::object type_schemas::scalar(std::string_view name, char const* type, char const* format) {
    if (!definitions_.contains(key(name))) definitions_[key(name)] = plain(type, format);
    return refer(name);
}

json::object type_schemas::schema_of(model::descriptor const& type) {
    using model::shape;
    auto const& d = inner(type);
    switch (d.kind) {
    case shape::boolean: return plain("boolean");
    case shape::integer: return plain("integer", d.name.ends_with("64") ? "int64" : "int32");
    case shape::number: return plain("number", "double");
    case shape::raw: return scalar(std::string(meta_package) + "FieldsV1", "object", nullptr);
    case shape::array: {
        auto out = plain("array");
        out["items"] = schema_of(*d.element);
        return out;
    }
    case shape::map: {
        auto out = plain("object");
        out["additionalProperties"] = schema_of(*d.element);
        return out;
    }
    case shape::object: {
        add(d);
        return refer(definition_name(d.type_name));
    }
    default: break;
    }
    if (&d == &descriptor_of<micro_time>())
        return scalar(std::string(meta_package) + "MicroTime", "string", "date-time");
    if (d.name == "RFC 3339 time") return scalar(std::string(meta_package) + "Time", "string", "date-time");
    if (d.name == "quantity") return scalar("io.k8s.apimachinery.pkg.api.resource.Quantity", "string", nullptr);
    if (d.name == "an integer or a string")
        return scalar("io.k8s.apimachinery.pkg.util.intstr.IntOrString", "string", "int-or-string");
    if (d.name == "base64") return plain("string", "byte");
    return plain("string");
}

json::object& type_schemas::add(model::descriptor const& type) {
    auto const name = definition_name(type.type_name);
    if (auto* known = definitions_.if_contains(name)) return known->as_object();
    definitions_[name] = json::object(); // for types that contain themselves
    json::object properties;
    if (type.info != nullptr) {
        properties["apiVersion"] = plain("string");
        properties["kind"] = plain("string");
    }
    json::array required;
    for (auto const& f : type.fields) {
        auto schema = schema_of(*f.type);
        auto const& d = inner(*f.type);
        if (d.kind == model::shape::array)
            add_list_rules(f, schema);
        else if (f.retain_keys)
            schema["x-kubernetes-patch-strategy"] = "retainKeys";
        if (is_listed(atomic_maps, name, f.name)) schema["x-kubernetes-map-type"] = "atomic";
        if (is_listed(atomic_lists, name, f.name)) {
            schema["x-kubernetes-list-type"] = "atomic";
            schema.stable_erase("x-kubernetes-list-map-keys");
        }
        properties[key(f.name)] = std::move(schema);
        if (f.always && !is_listed(optional_members, name, f.name)) required.emplace_back(key(f.name));
    }
    auto& out = definitions_[name].as_object();
    out["type"] = "object";
    if (!properties.empty()) out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    if (is_atomic_type(type)) out["x-kubernetes-map-type"] = "atomic";
    return out;
}

} // namespace kftrain::apiserver
