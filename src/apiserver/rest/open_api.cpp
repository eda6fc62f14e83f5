#include "apiserver/rest/open_api.hpp"

#include "apiserver/openapi/custom_schema.hpp"
#include "apiserver/openapi/gnostic.hpp"
#include "apiserver/openapi/type_schema.hpp"
#include "apiserver/rest/discovery.hpp"

#include <kftrain/model/object_type.hpp>
#include <kftrain/objects/type_table.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view accepted_gnostic = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
/// The `@` of the accepted type is not allowed in a Content-Type field.
constexpr std::string_view sent_gnostic = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// A number that changes with the served kinds and with their schemas.
std::uint64_t identify(object_store const& store, served_kind_list const& kinds) {
    std::uint64_t out = 14695981039346656037U;
    auto const mix = [&](std::uint64_t v) { out = (out ^ v) * 1099511628211U; };
    for (kind_id k = 0; k < store.kinds(); ++k) mix(store.registration(k) * 2 + (store.serves(k) ? 1 : 0));
    for (auto const* d : kinds) {
        mix(std::hash<std::string>()(d->api_version() + '/' + d->plural));
        mix(std::hash<void const*>()(d->schema.get()));
    }
    if (auto const crds = store.find("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
        mix(store.version(*crds));
    return out;
}

served_kind_list kinds_below(served_kind_list const& kinds, std::string_view prefix) {
    served_kind_list out;
    for (auto const* d : kinds)
        if (path_prefix(*d) == prefix) out.push_back(d);
    return out;
}

open_api_document index(served_kind_list const& kinds, std::uint64_t identity) {
    json::object paths, listed;
    for (auto const* d : kinds) {
        auto const prefix = path_prefix(*d);
        if (paths.contains(prefix)) continue;
        json::object entry;
        entry["serverRelativeURL"] = "/openapi/v3/" + prefix + "?hash=" + std::to_string(identity);
        paths[prefix] = std::move(entry);
    }
    listed["paths"] = std::move(paths);
    open_api_document out;
    out.text = json::serialize(listed);
    return out;
}

enum class open_api { v2, v3 };

constexpr std::string_view title = "Kubernetes", described_version = "v1.31.0+kftrain";
constexpr std::string_view group_version_kind = "x-kubernetes-group-version-kind";

json::object identity_of(resource_definition const& d) {
    json::object out;
    out["group"] = d.group;
    out["version"] = d.version;
    out["kind"] = d.kind;
    return out;
}

json::object parameter(open_api form, char const* name, char const* type, char const* in) {
    json::object out;
    out["name"] = name;
    out["in"] = in;
    if (std::string_view(in) == "path") out["required"] = true;
    if (form == open_api::v2) {
        out["type"] = type;
        out["uniqueItems"] = true;
        return out;
    }
    out["schema"] = json::object();
    out["schema"].get_object()["type"] = type;
    return out;
}

struct query_parameter {
    char const* name;
    char const* type;
};
constexpr std::array written_parameters{query_parameter{"dryRun", "string"}, query_parameter{"fieldManager", "string"},
                                        query_parameter{"fieldValidation", "string"}};
constexpr std::array deletion_parameters{
    query_parameter{"dryRun", "string"}, query_parameter{"gracePeriodSeconds", "integer"},
    query_parameter{"orphanDependents", "boolean"}, query_parameter{"propagationPolicy", "string"}};

/// One way to call a kind.
struct operation {
    char const* method;
    char const* action;
    bool on_object; ///< below its name, not on the collection
};
constexpr std::array operations{operation{"get", "list", false},
                                operation{"post", "post", false},
                                operation{"delete", "deletecollection", false},
                                operation{"get", "get", true},
                                operation{"put", "put", true},
                                operation{"patch", "patch", true},
                                operation{"delete", "delete", true}};

json::object describe(open_api form, resource_definition const& d, operation const& o) {
    json::array parameters;
    std::string_view const action = o.action;
    if (action == "post" || action == "put" || action == "patch")
        for (auto const& p : written_parameters) parameters.push_back(parameter(form, p.name, p.type, "query"));
    if (action == "patch") parameters.push_back(parameter(form, "force", "boolean", "query"));
    if (action.starts_with("delete"))
        for (auto const& p : deletion_parameters) parameters.push_back(parameter(form, p.name, p.type, "query"));
    json::object done, responses, out;
    done["description"] = "OK";
    responses["200"] = std::move(done);
    if (!parameters.empty()) out["parameters"] = std::move(parameters);
    out["responses"] = std::move(responses);
    out["x-kubernetes-action"] = o.action;
    out[key(group_version_kind)] = identity_of(d);
    return out;
}

void add_paths(open_api form, resource_definition const& d, json::object& paths) {
    bool const namespaced = d.where == resource_scope::namespaced;
    auto const verbs = verbs_of(d);
    for (bool const on_object : {false, true}) {
        auto path = "/" + path_prefix(d) + (namespaced ? "/namespaces/{namespace}/" : "/") + d.plural;
        json::object item;
        json::array parameters;
        for (auto const& o : operations) {
            std::string_view const action = o.action;
            auto const* const verb = action == "post" ? "create" : action == "put" ? "update" : o.action;
            if (o.on_object == on_object && std::ranges::find(verbs, json::value(verb)) != verbs.end())
                item[o.method] = describe(form, d, o);
        }
        if (item.empty()) continue;
        if (on_object) {
            path += "/{name}";
            parameters.push_back(parameter(form, "name", "string", "path"));
        }
        if (namespaced) parameters.push_back(parameter(form, "namespace", "string", "path"));
        if (!parameters.empty()) item["parameters"] = std::move(parameters);
        paths[path] = std::move(item);
    }
}

/// The schema in the CustomResourceDefinition of a kind, with its descriptions; empty if there is none.
json::object schema_of_definition(object_store const& store, resource_definition const& d) {
    auto const definitions = store.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    if (!definitions || !d.custom) return {};
    auto const found = store.get(*definitions, "", d.qualified_plural());
    if (!found) return {};
    auto const crd = (*found)->parsed();
    auto const* spec = object_in(crd, "spec");
    auto const* versions = spec != nullptr ? array_in(*spec, "versions") : nullptr;
    if (versions == nullptr) return {};
    for (auto const& v : *versions) {
        auto const* version = v.if_object();
        if (version == nullptr || text_in(*version, "name") != d.version) continue;
        auto const* schema = object_in(*version, "schema");
        auto const* root = schema != nullptr ? object_in(*schema, "openAPIV3Schema") : nullptr;
        if (root != nullptr) return *root;
    }
    return {};
}

void add_custom(open_api form, object_store const& store, resource_definition const& d, type_schemas& schemas) {
    auto schema = schema_of_definition(store, d);
    if (schema.empty()) schema = print_schema(d.schema);
    if (!schema.contains("properties") || (form == open_api::v2 && keeps_all_fields(schema))) {
        schema = json::object();
        schema["type"] = "object";
    } else {
        if (form == open_api::v2) reduce_to_v2(schema);
        schemas.add(descriptor_of<object_meta>());
        complete_schema(schema, schemas.refer(object_meta_definition));
    }
    schema[key(group_version_kind)] = json::array{identity_of(d)};
    schemas.definitions()[custom_definition_name(d)] = std::move(schema);
}

void add_kind(open_api form, object_store const& store, resource_definition const& d, type_schemas& schemas) {
    auto const* type = d.type;
    if (type == nullptr && d.schema.empty()) type = find_object_type(object_types(), d.api_version(), d.kind);
    if (type == nullptr) return add_custom(form, store, d, schemas);
    auto& schema = schemas.add(*type->model);
    if (!schema.contains(key(group_version_kind))) schema[key(group_version_kind)] = json::array{identity_of(d)};
}

json::object information() {
    json::object out;
    out["title"] = key(title);
    out["version"] = key(described_version);
    return out;
}

} // namespace

open_api_documents::document open_api_documents::find(object_store const& store, std::vector<std::string> const& path,
                                                      std::string_view accept) {
    bool const old = path.size() == 2 && path[1] == "v2";
    if (!old && (path.size() < 2 || path[1] != "v3")) return nullptr;
    auto const kinds = served_kinds(store);
    if (auto const identity = identify(store, kinds); identity != kinds_) {
        made_.clear();
        bytes_ = 0;
        kinds_ = identity;
    }
    bool const binary = old && accept.starts_with(accepted_gnostic);
    std::string name;
    for (std::size_t i = 2; i < path.size(); ++i) name.append(i == 2 ? "" : "/").append(path[i]);
    auto place = (binary ? "v2 gnostic/" : path[1] + "/") + name;
    if (auto const known = made_.find(place); known != made_.end()) return known->second;

    open_api_document made;
    if (binary) {
        made.content_type = sent_gnostic;
        made.text = encode_gnostic(describe_v2(store, kinds));
    } else if (old) {
        made.text = json::serialize(describe_v2(store, kinds));
    } else if (path.size() == 2) {
        made = index(kinds, kinds_);
    } else {
        auto const described = kinds_below(kinds, name);
        if (described.empty()) return nullptr;
        made.text = json::serialize(describe_v3(store, described));
    }
    auto out = std::make_shared<open_api_document const>(std::move(made));
    if (bytes_ + out->text.size() <= most_bytes) {
        bytes_ += out->text.size();
        made_.emplace(std::move(place), out);
    }
    return out;
}

std::string path_prefix(resource_definition const& d) { return (d.group.empty() ? "api/" : "apis/") + d.api_version(); }

json::object describe_v3(object_store const& store, served_kind_list const& kinds) {
    type_schemas schemas("#/components/schemas/");
    json::object paths, components, out;
    for (auto const* d : kinds) {
        add_paths(open_api::v3, *d, paths);
        add_kind(open_api::v3, store, *d, schemas);
    }
    components["schemas"] = std::move(schemas.definitions());
    out["openapi"] = "3.0.0";
    out["info"] = information();
    out["paths"] = std::move(paths);
    out["components"] = std::move(components);
    return out;
}

json::object describe_v2(object_store const& store, served_kind_list const& kinds) {
    type_schemas schemas("#/definitions/");
    json::object paths, out;
    for (auto const* d : kinds) {
        add_paths(open_api::v2, *d, paths);
        add_kind(open_api::v2, store, *d, schemas);
    }
    out["swagger"] = "2.0";
    out["info"] = information();
    out["paths"] = std::move(paths);
    out["definitions"] = std::move(schemas.definitions());
    return out;
}

} // namespace kftrain::apiserver
