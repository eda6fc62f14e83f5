#include "apiserver/rest/open_api.hpp"

#include "apiserver/rest/discovery.hpp"

#include <functional>

namespace kftrain::apiserver {
namespace {

json::object patch_of(resource_definition const& d) {
    json::object kind, parameter, type, patch, out;
    kind["group"] = d.group;
    kind["version"] = d.version;
    kind["kind"] = d.kind;
    type["type"] = "string";
    parameter["name"] = "fieldValidation";
    parameter["in"] = "query";
    parameter["schema"] = std::move(type);
    patch["x-kubernetes-group-version-kind"] = std::move(kind);
    patch["parameters"] = json::array{std::move(parameter)};
    patch["responses"] = json::object();
    out["patch"] = std::move(patch);
    return out;
}

std::string prefix_of(resource_definition const& d) { return (d.group.empty() ? "api/" : "apis/") + d.api_version(); }

/// The document of the group version at `prefix`; empty if nothing there is served.
std::string document(std::vector<resource_definition const*> const& kinds, std::string_view prefix) {
    json::object paths;
    for (auto const* d : kinds)
        if (prefix_of(*d) == prefix)
            paths["/" + std::string(prefix) +
                  (d->where == resource_scope::namespaced ? "/namespaces/{namespace}/" : "/") + d->plural + "/{name}"] =
                patch_of(*d);
    if (paths.empty()) return {};
    json::object info, out;
    info["title"] = "Kubernetes";
    info["version"] = "v1.31.0+kftrain";
    out["openapi"] = "3.0.0";
    out["info"] = std::move(info);
    out["paths"] = std::move(paths);
    return json::serialize(out);
}

} // namespace

std::optional<open_api_document> describe_open_api(object_store const& store, std::vector<std::string> const& path,
                                                   std::string_view accept) {
    open_api_document out;
    if (path.size() == 2 && path[1] == "v2") {
        // The `@` that clients send is not allowed in a Content-Type field.
        if (accept.starts_with("application/com.github.proto-openapi.spec.v2@v1.0+protobuf"))
            out.content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"; // empty: a document
        else
            out.text = R"({"swagger":"2.0","info":{"title":"Kubernetes","version":"v1.31.0+kftrain"},"paths":{}})";
        return out;
    }
    if (path.size() < 2 || path[1] != "v3") return std::nullopt;
    auto const kinds = served_kinds(store);
    if (path.size() > 2) {
        std::string prefix;
        for (std::size_t i = 2; i < path.size(); ++i) prefix.append(i == 2 ? "" : "/").append(path[i]);
        out.text = document(kinds, prefix);
        return out.text.empty() ? std::nullopt : std::optional(std::move(out));
    }
    json::object paths, index;
    for (auto const* d : kinds) {
        auto const prefix = prefix_of(*d);
        if (paths.contains(prefix)) continue;
        auto const hash = std::hash<std::string>()(document(kinds, prefix));
        json::object entry;
        entry["serverRelativeURL"] = "/openapi/v3/" + prefix + "?hash=" + std::to_string(hash);
        paths[prefix] = std::move(entry);
    }
    index["paths"] = std::move(paths);
    out.text = json::serialize(index);
    return out;
}

} // namespace kftrain::apiserver
