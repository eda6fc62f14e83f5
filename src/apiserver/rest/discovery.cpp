#include "apiserver/rest/discovery.hpp"

#include "apiserver/definitions/version_rank.hpp"
#include "apiserver/rest/access_review.hpp"
#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

std::optional<json::object> group(std::vector<resource_definition const*> const& kinds, std::string_view name) {
    json::array versions;
    for (auto const version : versions_of_group(kinds, name)) {
        json::object entry;
        entry["groupVersion"] = std::string(name) + "/" + std::string(version);
        entry["version"] = key(version);
        versions.push_back(std::move(entry));
    }
    if (versions.empty()) return std::nullopt;
    json::object out;
    out["name"] = key(name);
    json::value preferred = versions.front();
    out["versions"] = std::move(versions);
    out["preferredVersion"] = std::move(preferred);
    return out;
}

json::array texts(std::initializer_list<char const*> list) {
    json::array out;
    for (auto const* s : list) out.emplace_back(s);
    return out;
}

json::object entry(resource_definition const& d) {
    json::object out;
    out["name"] = d.plural;
    out["singularName"] = singular_of(d);
    out["namespaced"] = d.where == resource_scope::namespaced;
    out["kind"] = d.kind;
    out["verbs"] = verbs_of(d);
    json::array names, categories;
    for (auto const& n : d.short_names) names.emplace_back(n);
    for (auto const& c : d.categories) categories.emplace_back(c);
    if (!names.empty()) out["shortNames"] = std::move(names);
    if (!categories.empty()) out["categories"] = std::move(categories);
    return out;
}

json::object entry(resource_definition const& d, subresource const& sub) {
    json::object out;
    out["name"] = d.plural + "/" + std::string(sub.name);
    out["singularName"] = "";
    out["namespaced"] = d.where == resource_scope::namespaced;
    if (sub.group != d.group) {
        out["group"] = key(sub.group);
        out["version"] = key(sub.version);
    }
    out["kind"] = key(sub.kind);
    json::array verbs;
    for (auto const v : sub.verbs) verbs.emplace_back(key(v));
    out["verbs"] = std::move(verbs);
    return out;
}

std::optional<json::object> resources(object_store const& store, std::string_view g, std::string_view version) {
    json::array list;
    json::object out;
    out["kind"] = "APIResourceList";
    out["apiVersion"] = "v1";
    for (auto const* const d : served_kinds(store)) {
        if (d->group != g || d->version != version) continue;
        out["groupVersion"] = d->api_version();
        list.push_back(entry(*d));
        for (auto const& sub : subresources_of(*d)) list.push_back(entry(*d, sub));
    }
    if (list.empty()) return std::nullopt;
    out["resources"] = std::move(list);
    return out;
}

json::object version() {
    json::object out;
    out["major"] = "1";
    out["minor"] = "31";
    out["gitVersion"] = "v1.31.0+kftrain"; // whose behaviour is reproduced
    out["gitCommit"] = "";
    out["gitTreeState"] = "";
    out["buildDate"] = "1970-01-01T00:00:00Z";
    out["goVersion"] = "";
    out["compiler"] = "";
    out["platform"] = "";
    return out;
}

json::object groups(object_store const& store) {
    json::array list;
    std::vector<std::string_view> seen{""};
    auto const kinds = served_kinds(store);
    for (auto const* const kind : kinds) {
        std::string_view const g = kind->group;
        if (std::ranges::find(seen, g) != seen.end()) continue;
        seen.push_back(g);
        list.push_back(*group(kinds, g));
    }
    json::object out;
    out["kind"] = "APIGroupList";
    out["apiVersion"] = "v1";
    out["groups"] = std::move(list);
    return out;
}

json::object core_versions() {
    json::object out;
    out["kind"] = "APIVersions";
    out["versions"] = texts({"v1"});
    out["serverAddressByClientCIDRs"] = json::array();
    return out;
}

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

std::vector<resource_definition const*> served_kinds(object_store const& store) {
    std::vector<resource_definition const*> all;
    for (kind_id k = 0; k < store.kinds(); ++k)
        if (store.serves(k)) all.push_back(&store.definition(k));
    for (auto const& d : review_definitions()) all.push_back(&d);
    return all;
}

std::vector<std::string_view> versions_of_group(std::vector<resource_definition const*> const& kinds,
                                                std::string_view group) {
    std::vector<std::string_view> out;
    for (auto const* d : kinds)
        if (d->group == group && std::ranges::find(out, d->version) == out.end()) out.push_back(d->version);
    std::ranges::sort(out, [](std::string_view a, std::string_view b) {
        version_rank const rank_a(a), rank_b(b);
        return rank_a == rank_b ? a < b : rank_a > rank_b;
    });
    return out;
}

json::array verbs_of(resource_definition const& d) {
    auto const reviews = review_definitions();
    if (std::ranges::any_of(reviews, [&](auto const& review) { return &review == &d; })) return texts({"create"});
    return texts({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
}

std::string singular_of(resource_definition const& d) { return d.singular.empty() ? to_lower(d.kind) : d.singular; }

std::vector<subresource> subresources_of(resource_definition const& d) {
    std::vector<subresource> out;
    std::vector<std::string_view> const written{"get", "patch", "update"};
    if (d.has_status) out.push_back({"status", d.group, d.version, d.kind, written});
    if (d.scale) out.push_back({"scale", "autoscaling", "v1", "Scale", written});
    if (d.group.empty() && d.plural == "pods") {
        out.push_back({"binding", d.group, d.version, "Binding", {"create"}});
        out.push_back({"eviction", "policy", "v1", "Eviction", {"create"}});
        out.push_back({"log", d.group, d.version, d.kind, {"get"}});
    }
    if (d.group.empty() && d.plural == "serviceaccounts")
        out.push_back({"token", "authentication.k8s.io", "v1", "TokenRequest", {"create"}});
    return out;
}

std::optional<std::string> discover(object_store const& store, std::vector<std::string> const& path) {
    auto const print = [](std::optional<json::object> const& o) {
        return o ? std::optional<std::string>(json::serialize(*o)) : std::nullopt;
    };
    auto const n = path.size();
    if (n == 1 && path[0] == "version") return print(version());
    if (n == 1 && path[0] == "api") return print(core_versions());
    if (n == 2 && path[0] == "api") return print(resources(store, "", path[1]));
    if (n == 1 && path[0] == "apis") return print(groups(store));
    if (n == 3 && path[0] == "apis") return print(resources(store, path[1], path[2]));
    if (n == 2 && path[0] == "apis") {
        auto found = group(served_kinds(store), path[1]);
        if (!found) return std::nullopt;
        json::object out;
        out["kind"] = "APIGroup";
        out["apiVersion"] = "v1";
        for (auto& [k, v] : *found) out[k] = std::move(v);
        return print(out);
    }
    return std::nullopt;
}

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
