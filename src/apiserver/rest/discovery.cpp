#include "apiserver/rest/discovery.hpp"

#include "apiserver/rest/access_review.hpp"
#include "apiserver/text/json_access.hpp"
#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

json::object group_version(resource_definition const& d) {
    json::object out;
    out["groupVersion"] = d.api_version();
    out["version"] = d.version;
    return out;
}

/// All that is stored, in the order of registration, and what is answered and not stored.
std::vector<resource_definition const*> served(object_store const& store) {
    std::vector<resource_definition const*> all;
    for (kind_id k = 0; k < store.kinds(); ++k) all.push_back(&store.definition(k));
    all.push_back(&access_review_definition());
    return all;
}

/// One group with its versions in the order of registration; the first is preferred.
std::optional<json::object> group(object_store const& store, std::string_view name) {
    json::array versions;
    for (auto const* const kind : served(store)) {
        auto const& d = *kind;
        if (d.group != name) continue;
        auto entry = group_version(d);
        if (std::ranges::find(versions, json::value(entry)) == versions.end()) versions.push_back(std::move(entry));
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

json::object entry(resource_definition const& d, std::string_view subresource, json::array verbs) {
    json::object out;
    out["name"] = subresource.empty() ? d.plural : d.plural + "/" + std::string(subresource);
    auto const singular = d.singular.empty() ? to_lower(d.kind) : d.singular;
    out["singularName"] = subresource.empty() ? singular : "";
    out["namespaced"] = d.where == resource_scope::namespaced;
    out["kind"] = d.kind;
    out["verbs"] = std::move(verbs);
    if (!subresource.empty()) return out;
    json::array names, categories;
    for (auto const& n : d.short_names) names.emplace_back(n);
    for (auto const& c : d.categories) categories.emplace_back(c);
    if (!names.empty()) out["shortNames"] = std::move(names);
    if (!categories.empty()) out["categories"] = std::move(categories);
    return out;
}

std::optional<json::object> resources(object_store const& store, std::string_view g, std::string_view version) {
    json::array list;
    json::object out;
    out["kind"] = "APIResourceList";
    out["apiVersion"] = "v1";
    for (auto const* const kind : served(store)) {
        auto const& d = *kind;
        if (d.group != g || d.version != version) continue;
        out["groupVersion"] = d.api_version();
        if (kind == &access_review_definition()) {
            list.push_back(entry(d, "", texts({"create"})));
            continue;
        }
        list.push_back(
            entry(d, "", texts({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"})));
        if (d.has_status) list.push_back(entry(d, "status", texts({"get", "patch", "update"})));
        if (d.scale) {
            auto scale = entry(d, "scale", texts({"get", "patch", "update"}));
            scale["group"] = "autoscaling";
            scale["version"] = "v1";
            scale["kind"] = "Scale";
            list.push_back(std::move(scale));
        }
        if (d.group.empty() && d.plural == "pods") {
            auto binding = entry(d, "binding", texts({"create"}));
            binding["kind"] = "Binding";
            list.push_back(std::move(binding));
            list.push_back(entry(d, "log", texts({"get"})));
        }
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
    std::vector<std::string> seen{""};
    for (auto const* const kind : served(store)) {
        auto const& g = kind->group;
        if (std::ranges::find(seen, g) != seen.end()) continue;
        seen.push_back(g);
        list.push_back(*group(store, g));
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

} // namespace

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
        auto found = group(store, path[1]);
        if (!found) return std::nullopt;
        json::object out;
        out["kind"] = "APIGroup";
        out["apiVersion"] = "v1";
        for (auto& [k, v] : *found) out[k] = std::move(v);
        return print(out);
    }
    return std::nullopt;
}

} // namespace kftrain::apiserver
