#include "apiserver/definitions/crd.hpp"
#include "apiserver/definitions/crd_schema.hpp"
#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace kftrain::apiserver {
namespace {

constexpr std::array<std::string_view, 2> scopes{"Cluster", "Namespaced"};
constexpr std::string_view approval = "api-approved.kubernetes.io";

std::string path_of(std::string_view list, std::size_t index, std::string_view member = {}) {
    auto path = std::string(list) + "[" + std::to_string(index) + "]";
    if (!member.empty()) path.append(".").append(member);
    return path;
}

/// All reasons in one fault, as a definition reports them.
void check_label(field_faults& found, std::string field, std::string_view name, std::string_view before = {}) {
    if (auto const why = dns_1035_label_faults(before.empty() ? name : std::string_view(to_lower(name))); !why.empty())
        found.invalid_text(std::move(field), name, std::string_view(std::string(before) + joined(why, ",")));
}

/// The versions as Go prints them. Pointers are nil here; a server prints addresses.
std::string print_versions(std::vector<json::object const*> const& versions) {
    std::string out;
    for (auto const* v : versions)
        out.append(out.empty() ? "" : ", ")
            .append("apiextensions.CustomResourceDefinitionVersion{Name:")
            .append(go_text::quoted(text_in(*v, "name")))
            .append(true_in(*v, "served") ? ", Served:true" : ", Served:false")
            .append(true_in(*v, "storage") ? ", Storage:true" : ", Storage:false")
            .append(true_in(*v, "deprecated") ? ", Deprecated:true" : ", Deprecated:false")
            .append(", DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil), "
                    "Subresources:(*apiextensions.CustomResourceSubresources)(nil), "
                    "AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil), "
                    "SelectableFields:[]apiextensions.SelectableField(nil)}");
    return versions.empty() ? "[]apiextensions.CustomResourceDefinitionVersion(nil)"
                            : "[]apiextensions.CustomResourceDefinitionVersion{" + out + "}";
}

class crd_checker {
public:
    crd_checker(json::object const& crd, json::object const* old) : crd_(crd), old_(old), names_(crd) {}

    field_faults run() {
        if (old_ == nullptr) check_name();
        auto const* spec = object_in(crd_, "spec");
        check_group();
        check_scope(spec);
        auto const versions = versions_of(crd_);
        check_versions(versions);
        check_names();
        if (spec != nullptr) check_conversion(*spec);
        if (old_ != nullptr) check_immutable();
        check_stored(versions);
        check_approval();
        if (spec != nullptr && true_in(*spec, "preserveUnknownFields"))
            found_.invalid("spec.preserveUnknownFields", std::string_view("true"),
                           "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                           "spec.versions[*].schema instead");
        return std::move(found_);
    }

private:
    void check_name() {
        auto const name = text_in(metadata_of(crd_), "name");
        if (!name.empty() && name != std::string(names_.plural) + "." + std::string(names_.group))
            found_.invalid_text("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
    }

    void check_group() {
        if (names_.group.empty()) return found_.required("spec.group");
        if (auto const why = dns_subdomain_faults(names_.group); !why.empty())
            found_.invalid_text("spec.group", names_.group, std::string_view(joined(why, ",")));
        else if (names_.group.find('.') == std::string_view::npos)
            found_.invalid_text("spec.group", names_.group, "should be a domain with at least one dot");
    }

    void check_scope(json::object const* spec) {
        auto const scope = spec != nullptr ? text_in(*spec, "scope") : std::string_view();
        if (scope.empty())
            found_.required("spec.scope");
        else if (std::ranges::find(scopes, scope) == scopes.end())
            found_.unsupported("spec.scope", scope, scopes);
    }

    /// Fields that are the same in all versions are reported at `spec`, where older versions of the API had them.
    static bool is_common(std::vector<json::object const*> const& versions, std::string_view field) {
        auto const* first = versions.front()->if_contains(key(field));
        return std::ranges::all_of(versions, [&](auto const* v) {
            auto const* own = v->if_contains(key(field));
            return own == nullptr || first == nullptr ? own == first : same_value(*own, *first);
        });
    }

    void check_versions(std::vector<json::object const*> const& versions) {
        bool const schema_is_common = !versions.empty() && is_common(versions, "schema");
        bool const columns_are_common = !versions.empty() && is_common(versions, "additionalPrinterColumns");
        bool const subresources_are_common = !versions.empty() && is_common(versions, "subresources");
        for (std::size_t i = 0; i < versions.size(); ++i) {
            auto const* schema = object_in(*versions[i], "schema");
            if (schema == nullptr || schema->if_contains("openAPIV3Schema") == nullptr)
                found_.required(path_of("spec.versions", i, "schema.openAPIV3Schema"));
        }
        std::set<std::string_view> seen;
        std::size_t stored = 0;
        bool unique = true;
        for (std::size_t i = 0; i < versions.size(); ++i) {
            auto const& v = *versions[i];
            auto const name = text_in(v, "name");
            stored += true_in(v, "storage") ? 1 : 0;
            unique = seen.insert(name).second && unique;
            check_label(found_, path_of("spec.versions", i, "name"), name);
            check_deprecation(v, path_of("spec.versions", i, "deprecationWarning"));
            if (!schema_is_common) check_schema(v, path_of("spec.versions", i, "schema"));
            if (!subresources_are_common) check_subresources(v, path_of("spec.versions", i, "subresources"));
            if (!columns_are_common) check_columns(v, path_of("spec.versions", i, "additionalPrinterColumns"));
            check_selectable(v, path_of("spec.versions", i, "selectableFields"));
        }
        if (!unique) found_.invalid("spec.versions", print_versions(versions), "must contain unique version names");
        if (stored != 1)
            found_.invalid("spec.versions", print_versions(versions),
                           "must have exactly one version marked as storage version");
        if (versions.empty()) return;
        auto const& first = *versions.front();
        if (schema_is_common) check_schema(first, "spec.validation");
        if (subresources_are_common) check_subresources(first, "spec.subresources");
        if (columns_are_common) check_columns(first, "spec.additionalPrinterColumns");
    }

    void check_deprecation(json::object const& version, std::string const& path) {
        constexpr std::size_t longest = 256;
        auto const* given = version.if_contains("deprecationWarning");
        if (given == nullptr || !given->is_string()) return;
        auto const text = view(given->get_string());
        if (!true_in(version, "deprecated"))
            found_.invalid_text(path, text, "can only be set for deprecated versions");
        else if (text.size() > longest)
            found_.invalid_text(path, text, "must be <= 256 characters long");
        else if (text.empty())
            found_.invalid_text(path, text, "must not be an empty string");
        else if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
            found_.invalid_text(path, text, "must only contain printable UTF-8 characters");
    }

    void check_schema(json::object const& version, std::string const& path) {
        auto const* schema = object_in(version, "schema");
        auto const* root = schema != nullptr ? schema->if_contains("openAPIV3Schema") : nullptr;
        auto const* subresources = object_in(version, "subresources");
        bool const has_status = subresources != nullptr && object_in(*subresources, "status") != nullptr;
        if (root != nullptr) check_crd_schema(*root, has_status, path + ".openAPIV3Schema", found_);
    }

    void check_scale_path(json::object const& scale, std::string_view name, std::string_view below,
                          std::string const& path) {
        auto const text = text_in(scale, name);
        auto field = path + ".scale." + std::string(name);
        if (text.empty())
            found_.required(std::move(field));
        else if (!text.starts_with('.'))
            found_.invalid_text(std::move(field), text, "must be a simple json path starting with .");
        else if (!text.starts_with("." + std::string(below) + "."))
            found_.invalid_text(std::move(field), text, "should be a json path under ." + std::string(below));
    }

    void check_subresources(json::object const& version, std::string const& path) {
        auto const* subresources = object_in(version, "subresources");
        auto const* scale = subresources != nullptr ? object_in(*subresources, "scale") : nullptr;
        if (scale == nullptr) return;
        check_scale_path(*scale, "specReplicasPath", "spec", path);
        check_scale_path(*scale, "statusReplicasPath", "status", path);
        if (auto const text = text_in(*scale, "labelSelectorPath");
            !text.empty() && !text.starts_with(".spec.") && !text.starts_with(".status."))
            found_.invalid_text(path + ".scale.labelSelectorPath", text,
                                text.starts_with('.') ? "should be a json path under either .spec or .status"
                                                      : "must be a simple json path starting with .");
    }

    void check_columns(json::object const& version, std::string const& path) {
        constexpr std::array<std::string_view, 5> known{"boolean", "date", "integer", "number", "string"};
        auto const* columns = array_in(version, "additionalPrinterColumns");
        if (columns == nullptr) return;
        for (std::size_t i = 0; i < columns->size(); ++i) {
            auto const* column = (*columns)[i].if_object();
            if (column == nullptr) continue;
            if (text_in(*column, "name").empty()) found_.required(path_of(path, i, "name"));
            auto const type = text_in(*column, "type");
            auto const must = "must be one of " + joined(known, ",");
            if (type.empty())
                found_.required(path_of(path, i, "type"), must);
            else if (std::ranges::find(known, type) == known.end())
                found_.invalid_text(path_of(path, i, "type"), type, std::string_view(must));
            auto const text = text_in(*column, "jsonPath");
            if (text.empty())
                found_.required(path_of(path, i, "JSONPath"));
            else if (!text.starts_with('.'))
                found_.invalid_text(path_of(path, i, "JSONPath"), text, "must be a simple json path starting with .");
        }
    }

    void check_selectable(json::object const& version, std::string const& path) {
        constexpr std::size_t most = 8;
        auto const* fields = array_in(version, "selectableFields");
        if (fields == nullptr) return;
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < fields->size(); ++i) {
            auto const* field = (*fields)[i].if_object();
            auto const text = field != nullptr ? text_in(*field, "jsonPath") : std::string_view();
            if (text.empty())
                found_.required(path_of(path, i, "jsonPath"));
            else if (text.starts_with(".metadata"))
                found_.invalid_text(path_of(path, i, "jsonPath"), text, "must not point to fields in metadata");
            else if (!seen.insert(text).second)
                found_.duplicate(path_of(path, i, "jsonPath"), text);
        }
        if (seen.size() > most) found_.forbidden(path, "must have at most " + std::to_string(most) + " items");
    }

    void check_names() {
        std::array<std::pair<std::string_view, std::string_view>, 4> const needed{{{"plural", names_.plural},
                                                                                   {"singular", names_.singular},
                                                                                   {"kind", names_.kind},
                                                                                   {"listKind", names_.list_kind}}};
        std::string const path = "spec.names.";
        for (auto const& [field, value] : needed)
            if (value.empty()) found_.required(path + std::string(field));
        for (auto const& [field, value] : needed) {
            bool const mixed = field == "kind" || field == "listKind";
            if (!value.empty())
                check_label(found_, path + std::string(field), value,
                            mixed ? "may have mixed case, but should otherwise match: " : "");
        }
        for (std::size_t i = 0; i < names_.short_names.size(); ++i)
            check_label(found_, path_of("spec.names.shortNames", i), names_.short_names[i]);
        if (!names_.kind.empty() && names_.kind == names_.list_kind)
            found_.invalid_text("spec.names.listKind", names_.list_kind, "kind and listKind may not be the same");
        for (std::size_t i = 0; i < names_.categories.size(); ++i)
            check_label(found_, path_of("spec.names.categories", i), names_.categories[i]);
    }

    void check_conversion(json::object const& spec) {
        constexpr std::array<std::string_view, 2> known{"None", "Webhook"};
        auto const* conversion = object_in(spec, "conversion");
        if (conversion == nullptr) return;
        auto const strategy = text_in(*conversion, "strategy");
        if (strategy.empty())
            found_.required("spec.conversion.strategy");
        else if (strategy == "Webhook")
            found_.forbidden("spec.conversion.strategy",
                             "this server does not call conversion webhooks; it supports the strategy None");
        else if (strategy != "None")
            found_.unsupported("spec.conversion.strategy", strategy, known);
        else if (conversion->if_contains("webhook") != nullptr)
            found_.forbidden("spec.conversion.webhook", "should not be set when strategy is not set to Webhook");
    }

    void check_immutable() {
        crd_names const before(*old_);
        auto const same = [&](std::string field, std::string_view now, std::string_view was) {
            if (now != was) found_.invalid_text(std::move(field), now, "field is immutable");
        };
        if (before.namespaced != names_.namespaced)
            found_.invalid_text("spec.scope", names_.namespaced ? "Namespaced" : "Cluster", "field is immutable");
        same("spec.names.kind", names_.kind, before.kind);
        same("spec.group", names_.group, before.group);
        same("spec.names.plural", names_.plural, before.plural);
    }

    /// A version that was the storage version stays until the status no longer lists it.
    void check_stored(std::vector<json::object const*> const& versions) {
        auto const* status = old_ != nullptr ? object_in(*old_, "status") : nullptr;
        auto const* stored = status != nullptr ? array_in(*status, "storedVersions") : nullptr;
        if (stored == nullptr) return;
        for (std::size_t i = 0; i < stored->size(); ++i) {
            auto const* name = (*stored)[i].if_string();
            if (name != nullptr &&
                std::ranges::none_of(versions, [&](auto const* v) { return text_in(*v, "name") == view(*name); }))
                found_.invalid_text(path_of("status.storedVersions", i), view(*name), "must appear in spec.versions");
        }
    }

    void check_approval() {
        auto const& g = names_.group;
        bool const is_protected =
            g == "k8s.io" || g == "kubernetes.io" || g.ends_with(".k8s.io") || g.ends_with(".kubernetes.io");
        if (!is_protected || old_ != nullptr) return;
        auto const* annotations = object_in(metadata_of(crd_), "annotations");
        auto const given = annotations != nullptr ? text_in(*annotations, approval) : std::string_view();
        auto const field = "metadata.annotations[" + std::string(approval) + "]";
        if (given.empty())
            found_.required(field, "protected groups must have approval annotation \"" + std::string(approval) +
                                       "\", see https://github.com/kubernetes/enhancements/pull/1111");
        else if (!given.starts_with("unapproved") && given.find("://") == std::string_view::npos)
            found_.invalid_text(field, given,
                                "protected groups must have approval annotation \"" + std::string(approval) +
                                    "\" with either a URL or a reason starting with \"unapproved\", see "
                                    "https://github.com/kubernetes/enhancements/pull/1111");
    }

    json::object const& crd_;
    json::object const* old_;
    crd_names names_;
    field_faults found_;
};

} // namespace

std::vector<refusal_cause> check_crd(json::object const& crd, json::object const* old) {
    std::vector<refusal_cause> causes;
    for (auto& v : crd_checker(crd, old).run().take())
        causes.emplace_back(std::move(v.reason), std::move(v.message), std::move(v.field));
    return causes;
}

} // namespace kftrain::apiserver
