#include "kube/discovery/discovery_documents.hpp"

#include "base/failure_at.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

// The documents, as far as they are of interest. Those of the aggregated form are apidiscovery.k8s.io/v2.

struct named_kind {
    named_kind() = default;
    std::string group, version, kind;
};
BOOST_DESCRIBE_STRUCT(named_kind, (), (group, version, kind))

struct aggregated_subresource {
    aggregated_subresource() = default;
    std::string subresource;
};
BOOST_DESCRIBE_STRUCT(aggregated_subresource, (), (subresource))

struct aggregated_resource {
    aggregated_resource() = default;
    std::string resource, scope, singular_resource;
    std::optional<named_kind> response_kind;
    std::vector<std::string> short_names, categories, verbs;
    std::vector<aggregated_subresource> subresources;
};
BOOST_DESCRIBE_STRUCT(aggregated_resource, (),
                      (resource, scope, singular_resource, response_kind, short_names, categories, verbs, subresources))

struct aggregated_version {
    aggregated_version() = default;
    std::string version, freshness;
    std::vector<aggregated_resource> resources;
};
BOOST_DESCRIBE_STRUCT(aggregated_version, (), (version, freshness, resources))

struct aggregated_group {
    aggregated_group() = default;
    object_meta metadata;
    std::vector<aggregated_version> versions;
};
BOOST_DESCRIBE_STRUCT(aggregated_group, (), (metadata, versions))

struct listed_group_version {
    listed_group_version() = default;
    std::string version;
};
BOOST_DESCRIBE_STRUCT(listed_group_version, (), (version))

struct listed_group {
    listed_group() = default;
    std::string name;
    std::vector<listed_group_version> versions;
    std::optional<listed_group_version> preferred_version;
};
BOOST_DESCRIBE_STRUCT(listed_group, (), (name, versions, preferred_version))

/// Of any form; the members of the others are empty.
struct groups_document {
    groups_document() = default;
    std::string kind;
    std::vector<aggregated_group> items;
    std::vector<listed_group> groups;
};
BOOST_DESCRIBE_STRUCT(groups_document, (), (kind, items, groups))

struct core_versions_document {
    core_versions_document() = default;
    std::vector<std::string> versions;
};
BOOST_DESCRIBE_STRUCT(core_versions_document, (), (versions))

struct document_kind {
    document_kind() = default;
    std::string kind;
};
BOOST_DESCRIBE_STRUCT(document_kind, (), (kind))

struct listed_resource {
    listed_resource() = default;
    std::string name, singular_name, kind, group, version;
    bool namespaced = false;
    std::vector<std::string> verbs, short_names, categories;
};
BOOST_DESCRIBE_STRUCT(listed_resource, (),
                      (name, singular_name, kind, group, version, namespaced, verbs, short_names, categories))

struct resources_document {
    resources_document() = default;
    std::vector<listed_resource> resources;
};
BOOST_DESCRIBE_STRUCT(resources_document, (), (resources))

http_request read_of(std::string target) {
    http_request r;
    r.method = "GET";
    r.target = std::move(target);
    return r;
}

served_resource of_aggregated(std::string const& group, std::string const& version, aggregated_resource&& from) {
    served_resource r;
    r.group = group;
    r.version = version;
    if (from.response_kind) r.kind = std::move(from.response_kind->kind);
    r.plural = std::move(from.resource);
    r.singular = std::move(from.singular_resource);
    r.short_names = std::move(from.short_names);
    r.categories = std::move(from.categories);
    r.verbs = std::move(from.verbs);
    r.where = from.scope == "Cluster" ? resource_scope::cluster : resource_scope::namespaced;
    for (auto& s : from.subresources) r.subresources.push_back(std::move(s.subresource));
    return r;
}

void take_aggregated(aggregated_group&& group, discovered& into) {
    for (auto& v : group.versions) {
        if (v.freshness == "Stale") {
            unserved_version failure;
            failure.group = group.metadata.name;
            failure.version = v.version;
            failure.why = "the server returned cached information: the service of this group does not answer";
            into.failures.push_back(std::move(failure));
        }
        for (auto& r : v.resources)
            into.resources.push_back(of_aggregated(group.metadata.name, v.version, std::move(r)));
    }
}

void take_listed(listed_group const& group, discovered& into) {
    auto const preferred = group.preferred_version ? group.preferred_version->version : std::string();
    if (!preferred.empty()) into.versions.emplace_back(group.name, preferred);
    for (auto const& v : group.versions)
        if (v.version != preferred) into.versions.emplace_back(group.name, v.version);
}

} // namespace

http_request discovery_request(std::string_view path) {
    auto r = read_of(std::string(path));
    r.fields.add("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");
    return r;
}

http_request version_request(listed_version const& v) {
    return read_of(v.group.empty() ? "/api/" + v.version : "/apis/" + v.group + "/" + v.version);
}

result<discovered> read_groups(std::string_view text) {
    auto const kind = from_json<document_kind>(text);
    if (!kind) return kind.error();
    discovered found;
    if (kind->kind == "APIVersions") { // of /api
        auto const core = from_json<core_versions_document>(text);
        if (!core) return core.error();
        for (auto const& v : core->versions) found.versions.emplace_back("", v);
        return found;
    }
    if (kind->kind != "APIGroupDiscoveryList" && kind->kind != "APIGroupList")
        return failure_at("kind",
                          "expected APIGroupDiscoveryList, APIGroupList or APIVersions, got \"" + kind->kind + "\"",
                          errc::wrong_kind);
    auto document = from_json<groups_document>(text);
    if (!document) return document.error();
    for (auto& group : document->items) take_aggregated(std::move(group), found);
    for (auto const& group : document->groups) take_listed(group, found);
    return found;
}

result<std::vector<served_resource>> read_resources(listed_version const& v, std::string_view text) {
    auto document = from_json<resources_document>(text);
    if (!document) return document.error();
    std::vector<served_resource> all;
    for (auto& from : document->resources) {
        if (from.name.find('/') != std::string::npos) continue;
        auto& r = all.emplace_back();
        r.group = v.group;
        r.version = v.version;
        r.kind = std::move(from.kind);
        r.plural = std::move(from.name);
        r.singular = std::move(from.singular_name);
        r.short_names = std::move(from.short_names);
        r.categories = std::move(from.categories);
        r.verbs = std::move(from.verbs);
        r.where = from.namespaced ? resource_scope::namespaced : resource_scope::cluster;
    }
    for (auto const& sub : document->resources) { // `pods/status`
        auto const slash = sub.name.find('/');
        if (slash == std::string::npos) continue;
        auto const owner =
            std::find_if(all.begin(), all.end(), [&](auto const& r) { return r.plural == sub.name.substr(0, slash); });
        if (owner != all.end()) owner->subresources.push_back(sub.name.substr(slash + 1));
    }
    return all;
}

} // namespace kftrain::kube::detail
