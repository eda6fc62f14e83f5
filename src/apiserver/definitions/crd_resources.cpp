#include "apiserver/definitions/crd_resources.hpp"

#include "apiserver/definitions/crd_schema.hpp"
#include "apiserver/definitions/version_rank.hpp"
#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "model/schema/schema_node.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace kftrain::apiserver {
namespace {

/// Removes the keywords of a schema that the compiler does not support, and translates the others.
class schema_adapter {
public:
    explicit schema_adapter(std::vector<std::string>& warnings) : warnings_(warnings) {}

    void adapt(json::value& v, std::string const& path) {
        auto* const schema = v.if_object();
        if (schema == nullptr) return;
        for (auto const* keyword : {"$schema", "id"}) schema->stable_erase(keyword);
        drop_unknown_format(*schema, path);
        drop_unknown_rules(*schema, path);
        expand_embedded(*schema);
        for (auto& member : *schema) {
            auto const keyword = member.key();
            auto const below = path + "." + std::string(keyword);
            auto* const list = member.value().if_array();
            if (keyword == "properties") {
                if (auto* const map = member.value().if_object())
                    for (auto& named : *map) adapt(named.value(), below + "[" + std::string(named.key()) + "]");
            } else if (keyword == "items" || keyword == "not" || keyword == "additionalProperties") {
                adapt(member.value(), below);
            } else if (list != nullptr && (keyword == "allOf" || keyword == "anyOf" || keyword == "oneOf")) {
                for (std::size_t i = 0; i < list->size(); ++i) adapt((*list)[i], below + "[" + std::to_string(i) + "]");
            }
        }
    }

private:
    void warn(std::string const& path, std::string const& what) {
        warnings_.push_back(path + ": this server does not check " + what);
    }

    void drop_unknown_format(json::object& schema, std::string const& path) {
        std::string const format(text_in(schema, "format"));
        if (format.empty() || can_check_format(format)) return;
        schema.stable_erase("format");
        warn(path + ".format", "the format " + in_quotes(format));
    }

    void drop_unknown_rules(json::object& schema, std::string const& path) {
        auto* const found = schema.if_contains("x-kubernetes-validations");
        auto* const list = found != nullptr ? found->if_array() : nullptr;
        if (list == nullptr) return;
        json::array known;
        for (std::size_t i = 0; i < list->size(); ++i) {
            auto const* rule = (*list)[i].if_object();
            if (rule != nullptr && can_check_rule(*rule))
                known.push_back((*list)[i]);
            else
                warn(path + ".x-kubernetes-validations[" + std::to_string(i) + "]",
                     "the rule " + in_quotes(rule != nullptr ? text_in(*rule, "rule") : ""));
        }
        *list = std::move(known);
    }

    /// An embedded resource has the fields that every object has.
    static void expand_embedded(json::object& schema) {
        bool const embedded = true_in(schema, "x-kubernetes-embedded-resource");
        schema.stable_erase("x-kubernetes-embedded-resource");
        if (!embedded) return;
        auto& properties = schema["properties"];
        if (!properties.is_object()) properties.emplace_object();
        auto& fields = properties.get_object();
        for (auto const* name : {"apiVersion", "kind"}) fields.emplace(name, json::object{{"type", "string"}});
        json::object metadata;
        metadata["type"] = "object";
        metadata["x-kubernetes-preserve-unknown-fields"] = true;
        fields["metadata"] = std::move(metadata);
        auto& required = schema["required"];
        if (!required.is_array()) required.emplace_array();
        for (auto const* name : {"apiVersion", "kind"}) {
            json::value const wanted(name);
            auto& list = required.get_array();
            if (std::ranges::find(list, wanted) == list.end()) list.push_back(wanted);
        }
    }

    std::vector<std::string>& warnings_;
};

/// Finds defaults that their own schema refuses.
void check_defaults(schema_node const& n, std::string const& path, std::vector<refusal_cause>& found) {
    if (n.default_value)
        for (auto& v : validate_structure(n, *n.default_value, nullptr, path + ".default"))
            found.emplace_back(std::move(v.reason), std::move(v.message), std::move(v.field));
    for (auto const& [name, sub] : n.properties) check_defaults(*sub, path + ".properties[" + name + "]", found);
    if (n.additional != nullptr) check_defaults(*n.additional, path + ".additionalProperties", found);
    if (n.items != nullptr) check_defaults(*n.items, path + ".items", found);
}

std::string version_path(std::size_t i) { return "spec.versions[" + std::to_string(i) + "]"; }

/// The schema document of a version, in the form of resource_schema::parse().
answer<resource_schema> compile_schema(json::object const& crd, json::object const& version, std::string const& path,
                                       std::vector<std::string>& warnings) {
    json::object document;
    auto const* schema = object_in(version, "schema");
    if (schema == nullptr) return resource_schema();
    json::value root = schema->at("openAPIV3Schema");
    schema_adapter(warnings).adapt(root, path + ".schema.openAPIV3Schema");
    document["schema"] = std::move(root);
    if (auto const* subresources = object_in(version, "subresources")) document["subresources"] = *subresources;
    auto compiled = resource_schema::parse(json::serialize(document), {}, [](std::string_view text) {
        auto pattern = compile_pattern(text);
        return pattern ? *std::move(pattern) : text_predicate();
    });
    std::vector<refusal_cause> found;
    if (compiled) {
        bool const single = versions_of(crd).size() == 1; // which is reported at the place of all versions
        check_defaults(*compiled->get()->root,
                       (single ? std::string("spec.validation") : path + ".schema") + ".openAPIV3Schema", found);
        if (found.empty()) return std::move(*compiled);
    } else {
        auto const& detail = compiled.error().detail;
        found.emplace_back("FieldValueInvalid", "Invalid value: \"\": " + detail.message + " (at " + detail.path + ")",
                           path + ".schema.openAPIV3Schema");
    }
    return invalid(crd_resource(), text_in(metadata_of(crd), "name"), std::move(found));
}

void add_columns(json::object const& version, std::string const& path, resource_definition& d,
                 std::vector<std::string>& warnings) {
    auto const* columns = array_in(version, "additionalPrinterColumns");
    if (columns == nullptr) return;
    for (std::size_t i = 0; i < columns->size(); ++i) {
        auto const* column = (*columns)[i].if_object();
        if (column == nullptr) continue;
        auto const text = text_in(*column, "jsonPath");
        if (!is_path(text))
            warnings.push_back(path + ".additionalPrinterColumns[" + std::to_string(i) +
                               "].jsonPath: this server does not evaluate " + in_quotes(text) +
                               "; the column stays empty");
        auto& c = d.columns.emplace_back(std::string(text_in(*column, "name")), std::string(text_in(*column, "type")),
                                         std::string(text));
        c.description = text_in(*column, "description");
        if (c.description.empty())
            c.description = "Custom resource definition column (in JSONPath format): " + std::string(text);
        c.priority = static_cast<int>(std::clamp<std::int64_t>(integer_in(*column, "priority").value_or(0), 0, 1000));
    }
}

/** The warning about a deprecated version; empty for others.
    @par Upstream apiextensions-apiserver `pkg/apiserver/customresource_handler.go`, v0.31 */
std::string deprecation_of(json::object const& version, std::vector<json::object const*> const& all,
                           resource_definition const& d) {
    if (!true_in(version, "deprecated")) return {};
    if (auto const given = text_in(version, "deprecationWarning"); !given.empty()) return std::string(given);
    std::string_view newest = d.version;
    for (auto const* v : all) {
        auto const name = text_in(*v, "name");
        if (true_in(*v, "served") && !true_in(*v, "deprecated") && version_rank(name) > version_rank(newest))
            newest = name;
    }
    auto text = d.api_version() + " " + d.kind + " is deprecated";
    if (newest != d.version) text += "; use " + d.group + "/" + std::string(newest) + " " + d.kind;
    return text;
}

bool has_same(json::object const& a, json::object const& b, std::string_view field) {
    auto const* x = a.if_contains(key(field));
    auto const* y = b.if_contains(key(field));
    return x == nullptr || y == nullptr ? x == y : same_value(*x, *y);
}

} // namespace

answer<crd_resources> compile_crd(json::object const& crd) {
    crd_resources out;
    crd_names const names(crd, crd_names::part::accepted);
    auto const versions = versions_of(crd);
    for (std::size_t i = 0; i < versions.size(); ++i) {
        auto const& version = *versions[i];
        auto& made = out.versions.emplace_back();
        made.served = true_in(version, "served");
        made.stored = true_in(version, "storage");
        auto& d = made.resource;
        d.group = names.group;
        d.version = text_in(version, "name");
        d.kind = names.kind;
        d.list_kind = names.list_kind;
        d.plural = names.plural;
        d.singular = names.singular;
        d.short_names.assign(names.short_names.begin(), names.short_names.end());
        d.categories.assign(names.categories.begin(), names.categories.end());
        d.where = names.namespaced ? resource_scope::namespaced : resource_scope::cluster;
        auto const* subresources = object_in(version, "subresources");
        d.has_status = subresources != nullptr && object_in(*subresources, "status") != nullptr;
        // Schemas are large: versions with the same one share what was compiled.
        std::size_t same = 0;
        while (same < i &&
               !(has_same(version, *versions[same], "schema") && has_same(version, *versions[same], "subresources")))
            ++same;
        if (same < i) {
            d.schema = out.versions[same].resource.schema;
        } else {
            auto compiled = compile_schema(crd, version, version_path(i), out.warnings);
            if (!compiled) return compiled.error();
            d.schema = std::move(*compiled);
        }
        d.scale = d.schema.scale();
        d.deprecation = deprecation_of(version, versions, d);
        add_columns(version, version_path(i), d, out.warnings);
        if (auto const* fields = array_in(version, "selectableFields"))
            for (auto const& f : *fields)
                if (auto const* o = f.if_object()) {
                    auto const text = text_in(*o, "jsonPath");
                    d.selectable_fields.emplace_back(text.substr(text.starts_with('.') ? 1 : 0));
                }
    }
    return out;
}

} // namespace kftrain::apiserver
