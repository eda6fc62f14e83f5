#include "apiserver/checks/metadata.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "model/rules/object_meta.hpp"

namespace kftrain::apiserver {
namespace {

std::string_view type_name(json::value const& v) {
    switch (v.kind()) {
    case json::kind::array: return "array";
    case json::kind::bool_: return "boolean";
    case json::kind::string: return "string";
    case json::kind::object: return "object";
    case json::kind::null: return "null";
    default: return "number";
    }
}

refusal wrong_type(std::string path, std::string_view wanted, json::value const& v) {
    return bad_request(path + ": expected " + std::string(wanted) + ", got " + std::string(type_name(v)));
}

name_rule rule_of(resource_definition const& d) noexcept {
    if (d.group == "rbac.authorization.k8s.io") return path_segment_faults; // names such as `system:discovery`
    switch (d.names) {
    case name_syntax::dns_label: return dns_label_faults;
    case name_syntax::dns_1035_label: return dns_1035_label_faults;
    default: return dns_subdomain_faults;
    }
}

} // namespace

answer<void> check_shape(json::object const& body) {
    auto const* m = body.if_contains("metadata");
    if (m != nullptr && !m->is_null() && !m->is_object()) return wrong_type("metadata", "object", *m);
    for (auto const* part : {"apiVersion", "kind"})
        if (auto const* v = body.if_contains(part); v != nullptr && !v->is_string())
            return wrong_type(part, "string", *v);
    auto const& meta = metadata_of(body);
    for (auto const& [k, v] : meta) {
        std::string_view const name(k.data(), k.size());
        auto const path = "metadata." + std::string(name);
        if (v.is_null()) continue;
        if (name == "labels" || name == "annotations") {
            if (!v.is_object()) return wrong_type(path, "object of strings", v);
            for (auto const& [lk, lv] : v.get_object())
                if (!lv.is_string()) return wrong_type(path + "[" + std::string(lk) + "]", "string", lv);
        } else if (name == "finalizers" || name == "ownerReferences") {
            auto const owners = name == "ownerReferences";
            if (!v.is_array()) return wrong_type(path, "array", v);
            for (auto const& item : v.get_array())
                if (owners ? !item.is_object() : !item.is_string())
                    return wrong_type(path, owners ? "array of objects" : "array of strings", item);
        } else if (name == "generation" || name == "deletionGracePeriodSeconds") {
            if (!v.is_int64()) return wrong_type(path, "integer", v);
        } else if (name != "managedFields" && !v.is_string()) {
            return wrong_type(path, "string", v);
        }
    }
    return {};
}

answer<void> check_kind(resource_definition const& d, json::object const& body) {
    auto const kind = text_in(body, "kind");
    auto const version = text_in(body, "apiVersion");
    if (d.custom && kind.empty()) return bad_request("Object 'Kind' is missing in the body");
    if (d.custom && version.empty()) return bad_request("Object 'apiVersion' is missing in the body");
    if (!version.empty() && version != d.api_version())
        return bad_request("the API version in the data (" + std::string(version) +
                           ") does not match the expected API version (" + d.api_version() + ")");
    if (!kind.empty() && kind != d.kind)
        return bad_request(std::string(kind) + " in version " + in_quotes(d.version) + " cannot be handled as a " +
                           d.kind);
    return {};
}

answer<void> check_metadata(resource_definition const& d, json::object const& body, bool created) {
    auto const& meta = metadata_of(body);
    std::vector<refusal_cause> causes;
    auto const add = [&](std::vector<metadata_fault> found) {
        for (auto& [what, place] : found)
            causes.emplace_back(std::move(what.reason), std::move(what.message), std::move(what.field));
    };
    if (created) {
        add(object_meta_faults(meta, rule_of(d), d.where));
    } else {
        // Both what all kinds have in common and the kind itself look at it: a fault is several causes.
        add(object_meta_faults(meta, path_segment_faults, d.where));
        add(updated_meta_faults(meta));
        add(updated_meta_faults(meta));
        // These look at the new object as at a created one.
        if (d.group.empty() &&
            (d.plural == "pods" || d.plural == "services" || d.plural == "configmaps" || d.plural == "secrets"))
            add(object_meta_faults(meta, rule_of(d), d.where));
    }
    // The two validate themselves, or not at all.
    if (!d.custom && d.kind != "Event" && d.kind != "Lease") add(builtin_finalizer_faults(meta));
    if (!causes.empty()) return invalid(d, text_in(meta, "name"), std::move(causes));
    return {};
}

std::vector<std::string> warnings_of(resource_definition const& d, json::object const& body, json::object const* old) {
    std::vector<std::string> out;
    if (!d.custom) return out;
    auto const* before = old != nullptr ? &metadata_of(*old) : nullptr;
    for (auto const& warning : finalizer_warnings(metadata_of(body), before)) out.push_back(warning.what.text());
    return out;
}

json::object canonical(resource_definition const& d, json::object&& body) {
    json::object out(body.storage());
    out.reserve(body.size() + 3);
    out["apiVersion"] = d.api_version();
    out["kind"] = d.kind;
    json::object meta(body.storage());
    for (auto&& [k, v] : metadata_of(body)) {
        bool const bare = v.is_null() || (v.is_object() && v.get_object().empty()) ||
                          (v.is_array() && v.get_array().empty()) || (v.is_string() && v.get_string().empty());
        if (!bare && k != "managedFields" && k != "selfLink") meta.emplace(k, std::move(v));
    }
    out["metadata"] = std::move(meta);
    for (auto&& [k, v] : body)
        if (k != "apiVersion" && k != "kind" && k != "metadata" && !v.is_null()) out.emplace(k, std::move(v));
    return out;
}

} // namespace kftrain::apiserver
