#include "apiserver/rest/open_api_document.hpp"

#include "apiserver/openapi/custom_schema.hpp"
#include "apiserver/openapi/type_schema.hpp"
#include "apiserver/rest/discovery.hpp"

#include <kftrain/model/object_type.hpp>
#include <kftrain/objects/type_table.hpp>

#include <algorithm>
#include <array>

namespace kftrain::apiserver {
namespace {

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
