#include "base/ascii.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/object_meta_parts.hpp"

#include <kftrain/model/meta.hpp>

#include <algorithm>

namespace kftrain {
namespace {

namespace json = boost::json;

using faults = std::vector<metadata_fault>;
using namespace meta_parts;

constexpr std::size_t annotation_limit = 262144; // bytes of all keys and values

void find_name_faults(json::object const& meta, name_rule rule, resource_scope where, faults& out) {
    auto const check = [&](std::string const& field, std::string_view name, std::vector<std::string> const& found) {
        for (auto const& why : found) invalid(out, field, go_text::quoted(name), why, field);
    };
    auto const prefix = text_in(meta, "generateName");
    auto const name = text_in(meta, "name");
    auto const ns = text_in(meta, "namespace");
    if (!prefix.empty()) check("metadata.generateName", prefix, rule(prefix, true));
    if (name.empty())
        out.emplace_back("FieldValueRequired", "metadata.name", "Required value: name or generateName is required",
                         "metadata.name");
    else
        check("metadata.name", name, rule(name, false));
    std::string const field = "metadata.namespace";
    if (where == resource_scope::cluster) {
        if (!ns.empty()) out.emplace_back("FieldValueForbidden", field, "Forbidden: not allowed on this type", field);
    } else if (ns.empty()) {
        out.emplace_back("FieldValueRequired", field, "Required value", field);
    } else {
        check(field, ns, dns_label_faults(ns));
    }
    if (auto const* v = meta.if_contains("generation"); v != nullptr && v->is_int64() && v->get_int64() < 0)
        invalid(out, "metadata.generation", std::to_string(v->get_int64()), "must be greater than or equal to 0",
                "metadata.generation");
}

std::vector<json::key_value_pair const*> by_key(json::object const& o) {
    std::vector<json::key_value_pair const*> members;
    for (auto const& member : o) members.push_back(&member);
    std::ranges::sort(members, {}, [](auto const* member) { return to_std(member->key()); });
    return members;
}

void find_label_faults(json::object const& labels, faults& out) {
    std::string const field = "metadata.labels";
    for (auto const* member : by_key(labels)) {
        auto const key = to_std(member->key());
        auto const* value = member->value().if_string();
        auto const place = with_key(field, key);
        for (auto const& why : label_key_faults(key)) invalid(out, field, go_text::quoted(key), why, place);
        if (value == nullptr) continue;
        for (auto const& why : label_value_faults(to_std(*value)))
            invalid(out, field, go_text::quoted(to_std(*value)), why, place);
    }
}

/// As Go's `strings.ToLower`, as far as it makes characters of a valid key.
std::string lower(std::string_view s) {
    std::string out;
    for (std::size_t i = 0; i < s.size(); ++i) {
        auto const rest = s.substr(i);
        if (rest.starts_with("\u212A")) { // the sign of kelvin
            out += 'k';
            i += 2;
        } else if (rest.starts_with("\u0130")) { // I with a dot
            out += 'i';
            i += 1;
        } else {
            out += to_lower(s[i]);
        }
    }
    return out;
}

void find_annotation_faults(json::object const& annotations, faults& out) {
    std::string const field = "metadata.annotations";
    std::size_t bytes = 0;
    for (auto const* member : by_key(annotations)) {
        auto const key = to_std(member->key());
        for (auto const& why : label_key_faults(lower(key)))
            invalid(out, field, go_text::quoted(key), why, with_key(field, key));
        bytes += key.size();
        if (auto const* value = member->value().if_string()) bytes += value->size();
    }
    if (bytes > annotation_limit)
        out.emplace_back("FieldValueTooLong", field,
                         "Too long: must have at most " + std::to_string(annotation_limit) + " bytes", field);
}

void find_updated_faults(json::object const& meta, faults& out) {
    if (auto const* labels = object_in(meta, "labels")) find_label_faults(*labels, out);
    if (auto const* annotations = object_in(meta, "annotations")) find_annotation_faults(*annotations, out);
    if (auto const* owners = array_in(meta, "ownerReferences")) find_owner_faults(*owners, out);
}

void find_common_faults(json::object const& meta, faults& out) {
    find_updated_faults(meta, out);
    if (auto const* finalizers = array_in(meta, "finalizers")) find_finalizer_faults(*finalizers, out);
}

} // namespace

issue metadata_fault::to_issue() const {
    issue out;
    out.rule = "metadata.";
    auto const part = std::string_view(what.field).substr(out.rule.size());
    for (char const c : part.substr(0, part.find_first_of(".["))) {
        if (is_upper(c)) out.rule += '-';
        out.rule += to_lower(c);
    }
    if (what.reason.empty()) out.level = issue::severity::warning;
    out.path = what.field;
    out.message = what.text();
    return out;
}

faults object_meta_faults(json::object const& metadata, name_rule rule, resource_scope where) {
    faults out;
    find_name_faults(metadata, rule, where, out);
    find_common_faults(metadata, out);
    return out;
}

faults common_meta_faults(json::object const& metadata) {
    faults out;
    find_common_faults(metadata, out);
    return out;
}

faults updated_meta_faults(json::object const& metadata) {
    faults out;
    find_updated_faults(metadata, out);
    return out;
}

void clear_server_fields(object_meta& m) {
    m.self_link.clear();
    m.uid.clear();
    m.resource_version.clear();
    m.generation = 0;
    m.creation_timestamp.reset();
    m.deletion_timestamp.reset();
    m.deletion_grace_period_seconds.reset();
    m.managed_fields.clear();
}

std::string sample_of_generated_name(std::string_view prefix) { return std::string(prefix.substr(0, 58)) + "xxxxx"; }

faults created_meta_faults(json::object const& metadata) {
    json::object completed(metadata);
    auto const prefix = text_in(metadata, "generateName");
    bool const generated = text_in(metadata, "name").empty() && !prefix.empty();
    if (generated) completed["name"] = sample_of_generated_name(prefix);
    if (text_in(metadata, "namespace").empty()) completed["namespace"] = "default";
    completed["generation"] = 1;
    auto out = object_meta_faults(completed, dns_subdomain_faults, resource_scope::namespaced);
    // A fault of a generated name is mostly a fault of its prefix, and is reported there.
    if (generated && !out.empty() && out.front().what.field == "metadata.generateName")
        std::erase_if(out, [](auto const& fault) { return fault.what.field == "metadata.name"; });
    return out;
}

} // namespace kftrain
