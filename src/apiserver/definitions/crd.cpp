#include "apiserver/definitions/crd.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace kftrain::apiserver {
namespace {

/// The types of the fields. What is required, and all rules between fields, is checked by check_crd().
constexpr std::string_view crd_schema = R"({"$defs": {
"text": {"type": "string"},
"texts": {"type": "array", "items": {"$ref": "#/$defs/text"}},
"any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
"names": {"type": "object", "properties": {
  "plural": {"$ref": "#/$defs/text"}, "singular": {"$ref": "#/$defs/text"}, "kind": {"$ref": "#/$defs/text"},
  "listKind": {"$ref": "#/$defs/text"}, "shortNames": {"$ref": "#/$defs/texts"},
  "categories": {"$ref": "#/$defs/texts"}}},
"column": {"type": "object", "properties": {
  "name": {"$ref": "#/$defs/text"}, "type": {"$ref": "#/$defs/text"}, "format": {"$ref": "#/$defs/text"},
  "description": {"$ref": "#/$defs/text"}, "jsonPath": {"$ref": "#/$defs/text"}, "priority": {"type": "integer"}}},
"scale": {"type": "object", "properties": {
  "specReplicasPath": {"$ref": "#/$defs/text"}, "statusReplicasPath": {"$ref": "#/$defs/text"},
  "labelSelectorPath": {"$ref": "#/$defs/text"}}},
"version": {"type": "object", "properties": {
  "name": {"$ref": "#/$defs/text"}, "served": {"type": "boolean"}, "storage": {"type": "boolean"},
  "deprecated": {"type": "boolean"}, "deprecationWarning": {"$ref": "#/$defs/text"},
  "schema": {"type": "object", "properties": {"openAPIV3Schema": {"$ref": "#/$defs/any"}}},
  "subresources": {"type": "object", "properties": {
    "status": {"$ref": "#/$defs/any"}, "scale": {"$ref": "#/$defs/scale"}}},
  "additionalPrinterColumns": {"type": "array", "items": {"$ref": "#/$defs/column"}},
  "selectableFields": {"type": "array", "items": {
    "type": "object", "properties": {"jsonPath": {"$ref": "#/$defs/text"}}}}}},
"condition": {"type": "object", "properties": {
  "type": {"$ref": "#/$defs/text"}, "status": {"$ref": "#/$defs/text"}, "reason": {"$ref": "#/$defs/text"},
  "message": {"$ref": "#/$defs/text"}, "lastTransitionTime": {"$ref": "#/$defs/text"}}}
},
"schema": {"type": "object", "properties": {
  "spec": {"type": "object", "properties": {
    "group": {"$ref": "#/$defs/text"}, "scope": {"$ref": "#/$defs/text"}, "preserveUnknownFields": {"type": "boolean"},
    "names": {"$ref": "#/$defs/names"}, "versions": {"type": "array", "items": {"$ref": "#/$defs/version"}},
    "conversion": {"type": "object", "properties": {
      "strategy": {"$ref": "#/$defs/text"}, "webhook": {"$ref": "#/$defs/any"}}}}},
  "status": {"type": "object", "properties": {
    "acceptedNames": {"$ref": "#/$defs/names"}, "storedVersions": {"$ref": "#/$defs/texts"},
    "conditions": {"type": "array", "items": {"$ref": "#/$defs/condition"}}}}}}})";

/// Every field of JSONSchemaProps.
constexpr std::string_view schema_keywords =
    "id $schema $ref description type format title default maximum exclusiveMaximum minimum "
    "exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf enum "
    "maxProperties minProperties required items allOf oneOf anyOf not properties additionalProperties "
    "patternProperties dependencies additionalItems definitions externalDocs example nullable "
    "x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string "
    "x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-validations";

class keyword_pruner {
public:
    void prune(json::value& v, std::string const& path) {
        auto* const schema = v.if_object();
        if (schema == nullptr) return;
        std::vector<std::string> gone;
        for (auto const& [keyword, value] : *schema)
            if (value.is_null() || !is_word_of(schema_keywords, {keyword.data(), keyword.size()}))
                gone.emplace_back(keyword);
        for (auto const& keyword : gone) {
            if (!(*schema)[keyword].is_null()) unknown.push_back(path + "." + keyword);
            schema->stable_erase(keyword);
        }
        for (auto& member : *schema) {
            auto const keyword = member.key();
            auto const below = path + "." + std::string(keyword);
            auto* const map = member.value().if_object();
            if (keyword == "properties" || keyword == "patternProperties" || keyword == "definitions") {
                if (map != nullptr)
                    for (auto& named : *map) prune(named.value(), below + "." + std::string(named.key()));
            } else if (keyword == "items" || keyword == "not" || keyword == "additionalProperties" ||
                       keyword == "additionalItems") {
                prune(member.value(), below);
            } else if (auto* const list = member.value().if_array();
                       list != nullptr && (keyword == "allOf" || keyword == "anyOf" || keyword == "oneOf")) {
                for (std::size_t i = 0; i < list->size(); ++i) prune((*list)[i], below + "[" + std::to_string(i) + "]");
            }
        }
    }

    std::vector<std::string> unknown;
};

std::vector<std::string_view> texts_of(json::object const& o, std::string_view name) {
    std::vector<std::string_view> out;
    if (auto const* list = array_in(o, name))
        for (auto const& item : *list)
            if (auto const* s = item.if_string()) out.push_back(view(*s));
    return out;
}

} // namespace

bool is_crd(resource_definition const& d) noexcept {
    return d.plural == "customresourcedefinitions" && d.group == "apiextensions.k8s.io";
}

resource_definition crd_resource() {
    resource_definition d;
    d.group = "apiextensions.k8s.io";
    d.version = "v1";
    d.kind = "CustomResourceDefinition";
    d.plural = "customresourcedefinitions";
    d.short_names = {"crd", "crds"};
    d.categories = {"api-extensions"};
    d.where = resource_scope::cluster;
    d.columns = {{"Created At", "string", ".metadata.creationTimestamp"}};
    d.schema = resource_schema::parse(crd_schema).value();
    return d;
}

crd_names::crd_names(json::object const& crd, part which) {
    auto const* spec = object_in(crd, "spec");
    if (spec == nullptr) return;
    group = text_in(*spec, "group");
    namespaced = text_in(*spec, "scope") != "Cluster";
    auto const* status = object_in(crd, "status");
    auto const* accepted = status != nullptr ? object_in(*status, "acceptedNames") : nullptr;
    auto const* names = which == part::accepted ? accepted : object_in(*spec, "names");
    if (names == nullptr) return;
    plural = text_in(*names, "plural");
    singular = text_in(*names, "singular");
    kind = text_in(*names, "kind");
    list_kind = text_in(*names, "listKind");
    short_names = texts_of(*names, "shortNames");
    categories = texts_of(*names, "categories");
}

std::vector<json::object const*> versions_of(json::object const& crd) {
    std::vector<json::object const*> out;
    auto const* spec = object_in(crd, "spec");
    auto const* list = spec != nullptr ? array_in(*spec, "versions") : nullptr;
    if (list != nullptr)
        for (auto const& v : *list)
            if (auto const* o = v.if_object()) out.push_back(o);
    return out;
}

void set_crd_defaults(json::object& crd) {
    auto* const spec = object_in(crd, "spec");
    if (spec == nullptr) return;
    if (auto* const names = object_in(*spec, "names")) {
        std::string const kind(text_in(*names, "kind"));
        if (!kind.empty()) {
            if (text_in(*names, "singular").empty()) (*names)["singular"] = to_lower(kind);
            if (text_in(*names, "listKind").empty()) (*names)["listKind"] = kind + "List";
        }
    }
    fill(*spec, "conversion", json::object{{"strategy", "None"}});
    // Booleans without `omitempty`.
    each(*spec, "versions", [](json::object& version) {
        fill(version, "served", false);
        fill(version, "storage", false);
    });
}

std::vector<std::string> prune_crd_schemas(json::object& crd) {
    keyword_pruner pruner;
    auto* const spec = object_in(crd, "spec");
    auto* const list = spec != nullptr ? spec->if_contains("versions") : nullptr;
    if (list != nullptr && list->is_array())
        for (std::size_t i = 0; i < list->get_array().size(); ++i) {
            auto* const version = list->get_array()[i].if_object();
            auto* const schema = version != nullptr ? object_in(*version, "schema") : nullptr;
            if (auto* const root = schema != nullptr ? schema->if_contains("openAPIV3Schema") : nullptr)
                pruner.prune(*root, "spec.versions[" + std::to_string(i) + "].schema.openAPIV3Schema");
        }
    std::ranges::sort(pruner.unknown);
    return std::move(pruner.unknown);
}

} // namespace kftrain::apiserver
