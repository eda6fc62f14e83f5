#include "apiserver/rest/discovery.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

json::object response_kind(std::string_view group, std::string_view version, std::string_view kind) {
    json::object out;
    out["group"] = key(group);
    out["version"] = key(version);
    out["kind"] = key(kind);
    return out;
}

template <class Texts> json::array texts_of(Texts const& from) {
    json::array out;
    for (auto const& t : from) out.emplace_back(key(t));
    return out;
}

json::object aggregated_resource(resource_definition const& d) {
    json::object out;
    out["resource"] = d.plural;
    out["responseKind"] = response_kind(d.group, d.version, d.kind);
    out["scope"] = d.where == resource_scope::namespaced ? "Namespaced" : "Cluster";
    out["singularResource"] = singular_of(d);
    out["verbs"] = verbs_of(d);
    if (!d.short_names.empty()) out["shortNames"] = texts_of(d.short_names);
    if (!d.categories.empty()) out["categories"] = texts_of(d.categories);
    json::array parts;
    for (auto const& sub : subresources_of(d)) {
        json::object part;
        part["subresource"] = key(sub.name);
        part["responseKind"] = response_kind(sub.group, sub.version, sub.kind);
        part["verbs"] = texts_of(sub.verbs);
        parts.push_back(std::move(part));
    }
    if (!parts.empty()) out["subresources"] = std::move(parts);
    return out;
}

json::object aggregated_group(std::vector<resource_definition const*> const& kinds, std::string_view name) {
    json::object meta, out;
    if (!name.empty()) meta["name"] = key(name);
    meta["creationTimestamp"] = nullptr;
    json::array versions;
    for (auto const version : versions_of_group(kinds, name)) {
        json::array resources;
        for (auto const* d : kinds)
            if (d->group == name && d->version == version) resources.push_back(aggregated_resource(*d));
        json::object entry;
        entry["version"] = key(version);
        entry["resources"] = std::move(resources);
        entry["freshness"] = "Current";
        versions.push_back(std::move(entry));
    }
    out["metadata"] = std::move(meta);
    out["versions"] = std::move(versions);
    return out;
}

} // namespace

std::optional<std::string> discover_aggregated(object_store const& store, std::vector<std::string> const& path,
                                               std::string_view version) {
    if (path.size() != 1 || (path[0] != "api" && path[0] != "apis")) return std::nullopt;
    auto const kinds = served_kinds(store);
    std::vector<std::string_view> names;
    for (auto const* d : kinds)
        if (d->group.empty() == (path[0] == "api") && std::ranges::find(names, d->group) == names.end())
            names.push_back(d->group);
    json::array items;
    for (auto const name : names) items.push_back(aggregated_group(kinds, name));
    json::object out;
    out["kind"] = "APIGroupDiscoveryList";
    out["apiVersion"] = "apidiscovery.k8s.io/" + std::string(version);
    out["metadata"] = json::object();
    out["items"] = std::move(items);
    return json::serialize(out);
}

} // namespace kftrain::apiserver
