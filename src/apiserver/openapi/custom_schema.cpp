#include "apiserver/openapi/custom_schema.hpp"

#include "model/schema/schema_node.hpp"

#include <algorithm>

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

} // namespace

std::string custom_definition_name(resource_definition const& d) {
    std::string out;
    for (std::string_view rest = d.group; !rest.empty();) {
        auto const dot = rest.rfind('.');
        out.append(dot == rest.npos ? rest : rest.substr(dot + 1)).append(".");
        rest = dot == rest.npos ? std::string_view() : rest.substr(0, dot);
    }
    return out + d.version + "." + d.kind;
}

json::object print_schema(resource_schema const& schema) {
    if (!schema.empty()) return print_node(*schema.get()->root);
    json::object out;
    out["type"] = "object";
    return out;
}

bool keeps_all_fields(json::object const& schema) {
    return !schema.contains("properties") || true_in(schema, "x-kubernetes-preserve-unknown-fields");
}

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

} // namespace kftrain::apiserver
