#include "apiserver/rest/open_api.hpp"

#include "apiserver/json/json_access.hpp"
#include "apiserver/openapi/gnostic.hpp"
#include "apiserver/openapi/type_schema.hpp"
#include "apiserver/rest/discovery.hpp"
#include "model/schema/schema_node.hpp"

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/objects/type_table.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace kftrain::apiserver {
namespace {

template <class T> void set_keyword(json::object& to, char const* keyword, std::optional<T> const& value) {
    if (value) to[keyword] = *value;
}

template <class Texts> void set_texts(json::object& to, char const* keyword, Texts const& texts) {
    if (texts.empty()) return;
    json::array list;
    for (auto const& t : texts) list.emplace_back(t);
    to[keyword] = std::move(list);
}

json::object print_node(schema_node const& n);

void set_alternatives(json::object& to, char const* keyword, std::vector<schema_node const*> const& nodes) {
    if (nodes.empty()) return;
    json::array list;
    for (auto const* n : nodes) list.push_back(print_node(*n));
    to[keyword] = std::move(list);
}

void set_limits(json::object& out, schema_node const& n) {
    set_keyword(out, "minimum", n.minimum);
    set_keyword(out, "maximum", n.maximum);
    set_keyword(out, "multipleOf", n.multiple_of);
    set_keyword(out, "minLength", n.min_length);
    set_keyword(out, "maxLength", n.max_length);
    set_keyword(out, "minItems", n.min_items);
    set_keyword(out, "maxItems", n.max_items);
    set_keyword(out, "minProperties", n.min_properties);
    set_keyword(out, "maxProperties", n.max_properties);
    if (n.exclusive_minimum) out["exclusiveMinimum"] = true;
    if (n.exclusive_maximum) out["exclusiveMaximum"] = true;
    if (n.unique_items) out["uniqueItems"] = true;
    if (!n.pattern_text.empty()) out["pattern"] = n.pattern_text;
    if (!n.enumeration.empty()) out["enum"] = json::array(n.enumeration.begin(), n.enumeration.end());
    if (n.default_value) out["default"] = *n.default_value;
}

json::object print_node(schema_node const& n) {
    json::object out;
    if (n.types.size() > 1)
        out["x-kubernetes-int-or-string"] = true;
    else if (!n.type.empty())
        out["type"] = n.type;
    if (!n.format.empty()) out["format"] = n.format;
    if (n.nullable) out["nullable"] = true;
    if (n.preserve_unknown) out["x-kubernetes-preserve-unknown-fields"] = true;
    set_limits(out, n);
    set_texts(out, "required", n.required);
    if (n.atomic_map) out["x-kubernetes-map-type"] = "atomic";
    if (!n.list_type.empty()) out["x-kubernetes-list-type"] = n.list_type;
    set_texts(out, "x-kubernetes-list-map-keys", n.list_map_keys);
    if (!n.properties.empty()) {
        json::object properties;
        for (auto const& [name, sub] : n.properties) properties[name] = print_node(*sub);
        out["properties"] = std::move(properties);
    }
    if (n.additional != nullptr)
        out["additionalProperties"] = print_node(*n.additional);
    else if (n.any_additional)
        out["additionalProperties"] = true;
    if (n.items != nullptr) out["items"] = print_node(*n.items);
    if (n.not_ != nullptr) out["not"] = print_node(*n.not_);
    set_alternatives(out, "allOf", n.all_of);
    set_alternatives(out, "anyOf", n.any_of);
    set_alternatives(out, "oneOf", n.one_of);
    return out;
}

/** Removes parts of a schema that OpenAPI v2 cannot express, so that older clients do not refuse valid objects.
    @par Upstream apiextensions-apiserver `pkg/controller/openapi/v2/conversion.go`, v0.31 */
void reduce_to_v2(json::object& schema);

/// Reduces the members of a schema; those that may be null are not required any more.
void reduce_properties(json::object& schema, json::object& properties) {
    auto* required = schema.if_contains("required");
    for (auto& member : properties) {
        auto* sub = member.value().if_object();
        if (sub == nullptr) continue;
        if (auto* names = required != nullptr ? required->if_array() : nullptr;
            names != nullptr && true_in(*sub, "nullable")) {
            auto const at = std::ranges::find(*names, json::value(member.key()));
            if (at != names->end()) names->erase(at);
        }
        reduce_to_v2(*sub);
    }
    if (required != nullptr && required->is_array() && required->get_array().empty()) schema.stable_erase("required");
}

/// The name under which Kubernetes publishes the schema of a custom resource: `org.kubeflow.v1.PyTorchJob`.
std::string custom_definition_name(resource_definition const& d) {
    std::string out;
    for (std::string_view rest = d.group; !rest.empty();) {
        auto const dot = rest.rfind('.');
        out.append(dot == rest.npos ? rest : rest.substr(dot + 1)).append(".");
        rest = dot == rest.npos ? std::string_view() : rest.substr(0, dot);
    }
    return out + d.version + "." + d.kind;
}

/// Writes a compiled schema out again, without descriptive keywords. An empty schema accepts every object.
json::object print_schema(resource_schema const& schema) {
    if (!schema.empty()) return print_node(*schema.get()->root);
    json::object out;
    out["type"] = "object";
    return out;
}

/// Whether clients that check fields must let every field of this schema pass.
bool keeps_all_fields(json::object const& schema) {
    return !schema.contains("properties") || true_in(schema, "x-kubernetes-preserve-unknown-fields");
}

/** Turns the schema of a CRD into the one that a server publishes: with apiVersion, kind and metadata.
    @param meta A reference to the definition of ObjectMeta
    @par Upstream apiextensions-apiserver `pkg/controller/openapi/builder/builder.go`, v0.31 */
void complete_schema(json::object& schema, json::object meta) {
    auto& properties = schema["properties"];
    if (!properties.is_object()) properties.emplace_object();
    json::object text;
    text["type"] = "string";
    for (auto const* name : {"apiVersion", "kind"})
        if (!properties.get_object().contains(name)) properties.get_object()[name] = text;
    properties.get_object()["metadata"] = std::move(meta);
}

void reduce_to_v2(json::object& schema) {
    for (auto const* keyword : {"oneOf", "anyOf", "allOf", "not"}) schema.stable_erase(keyword);
    bool const nullable = true_in(schema, "nullable");
    bool const open = true_in(schema, "x-kubernetes-preserve-unknown-fields");
    if (nullable || (open && text_in(schema, "type") == "object")) schema.stable_erase("type");
    if (nullable || open)
        for (auto const* keyword : {"nullable", "items", "properties"}) schema.stable_erase(keyword);
    if (text_in(schema, "type") == "array" && !schema.contains("items")) schema.stable_erase("type");
    if (auto* properties = object_in(schema, "properties")) reduce_properties(schema, *properties);
    if (auto* items = object_in(schema, "items")) reduce_to_v2(*items);
    if (auto* values = object_in(schema, "additionalProperties")) {
        if (true_in(*values, "nullable")) schema.stable_erase("required");
        reduce_to_v2(*values);
    }
}

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
