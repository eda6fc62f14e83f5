#include "metadata.hpp"

#include "refusals.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

std::string_view type_name(json::value const& v) {
    switch (v.kind()) {
    case json::kind::array: return "array";
    case json::kind::bool_: return "boolean";
    case json::kind::string: return "string";
    case json::kind::object: return "object";
    case json::kind::null: return "null";
    default: return "number";
    }
}

refusal wrong_type(std::string path, std::string_view wanted, json::value const& v) {
    return bad_request(path + ": expected " + std::string(wanted) + ", got " + std::string(type_name(v)));
}

bool lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool alphanumeric(char c) { return lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool is_dns_label(std::string_view s) {
    return !s.empty() && lower_or_digit(s.front()) && lower_or_digit(s.back()) &&
           std::ranges::all_of(s, [](char c) { return lower_or_digit(c) || c == '-'; });
}
bool is_dns_subdomain(std::string_view s) {
    for (;;) {
        auto const dot = s.find('.');
        if (!is_dns_label(s.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        s.remove_prefix(dot + 1);
    }
}
/// Letters, digits, `-`, `_`, `.`, with a letter or digit at both ends.
bool is_label_text(std::string_view s) {
    return !s.empty() && alphanumeric(s.front()) && alphanumeric(s.back()) &&
           std::ranges::all_of(s, [](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

constexpr std::string_view subdomain_rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view label_rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view label_1035_rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view label_value_rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view label_name_rule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

std::string too_long(std::size_t limit) { return "must be no more than " + std::to_string(limit) + " characters"; }

using causes = std::vector<refusal_cause>;

void fault(causes& out, std::string field, std::string_view value, std::string_view why) {
    out.emplace_back("FieldValueInvalid", invalid_value(value, why), std::move(field));
}

/// A generated name gets its last characters later; until then a trailing `-` is allowed.
void check_name(resource_definition const& d, std::string_view name, std::string const& field, bool prefix,
                causes& out) {
    std::string probe(name);
    if (prefix && !probe.empty() && probe.back() == '-') probe.back() = 'a';
    auto const limit = std::size_t(d.names == name_syntax::dns_subdomain ? 253 : 63);
    if (probe.size() > limit) fault(out, field, name, too_long(limit));
    if (d.names == name_syntax::dns_subdomain && !is_dns_subdomain(probe)) fault(out, field, name, subdomain_rule);
    if (d.names == name_syntax::dns_label && !is_dns_label(probe)) fault(out, field, name, label_rule);
    if (d.names == name_syntax::dns_1035_label && (!is_dns_label(probe) || probe[0] < 'a'))
        fault(out, field, name, label_1035_rule);
}

void check_labels(json::object const& labels, causes& out) {
    std::string const field = "metadata.labels";
    for (auto const& [k, v] : labels) {
        std::string_view name(k.data(), k.size());
        auto const value = view(v.get_string());
        if (auto const slash = name.find('/'); slash != std::string_view::npos) {
            if (!is_dns_subdomain(name.substr(0, slash)))
                fault(out, field, name, "prefix part " + std::string(subdomain_rule));
            name.remove_prefix(slash + 1);
        }
        if (name.size() > 63) fault(out, field, {k.data(), k.size()}, "name part " + too_long(63));
        if (!is_label_text(name)) fault(out, field, {k.data(), k.size()}, label_name_rule);
        if (value.size() > 63) fault(out, field, value, too_long(63));
        if (!value.empty() && !is_label_text(value)) fault(out, field, value, label_value_rule);
    }
}

void check_owners(json::array const& owners, causes& out) {
    bool controlled = false;
    for (auto const& v : owners) {
        auto const& o = v.get_object();
        for (auto const* part : {"apiVersion", "kind", "name", "uid"})
            if (text_in(o, part).empty())
                fault(out, std::string("metadata.ownerReferences.") + part, "", "must not be empty");
        if (true_in(o, "controller") && std::exchange(controlled, true))
            fault(out, "metadata.ownerReferences", text_in(o, "name"),
                  "Only one reference can have Controller set to true");
    }
}

} // namespace

answer<void> check_shape(json::object const& body) {
    auto const* m = body.if_contains("metadata");
    if (m != nullptr && !m->is_null() && !m->is_object()) return wrong_type("metadata", "object", *m);
    for (auto const* part : {"apiVersion", "kind"})
        if (auto const* v = body.if_contains(part); v != nullptr && !v->is_string())
            return wrong_type(part, "string", *v);
    auto const& meta = metadata_of(body);
    for (auto const& [k, v] : meta) {
        std::string_view const name(k.data(), k.size());
        auto const path = "metadata." + std::string(name);
        if (v.is_null()) continue;
        if (name == "labels" || name == "annotations") {
            if (!v.is_object()) return wrong_type(path, "object of strings", v);
            for (auto const& [lk, lv] : v.get_object())
                if (!lv.is_string()) return wrong_type(path + "[" + std::string(lk) + "]", "string", lv);
        } else if (name == "finalizers" || name == "ownerReferences") {
            auto const owners = name == "ownerReferences";
            if (!v.is_array()) return wrong_type(path, "array", v);
            for (auto const& item : v.get_array())
                if (owners ? !item.is_object() : !item.is_string())
                    return wrong_type(path, owners ? "array of objects" : "array of strings", item);
        } else if (name == "generation" || name == "deletionGracePeriodSeconds") {
            if (!v.is_int64()) return wrong_type(path, "integer", v);
        } else if (name != "managedFields" && !v.is_string()) {
            return wrong_type(path, "string", v);
        }
    }
    return {};
}

answer<void> check_kind(resource_definition const& d, json::object const& body) {
    auto const kind = text_in(body, "kind");
    auto const version = text_in(body, "apiVersion");
    if (d.custom && kind.empty()) return bad_request("Object 'Kind' is missing in the body");
    if (d.custom && version.empty()) return bad_request("Object 'apiVersion' is missing in the body");
    if (!version.empty() && version != d.api_version())
        return bad_request("the API version in the data (" + std::string(version) +
                           ") does not match the expected API version (" + d.api_version() + ")");
    if (!kind.empty() && kind != d.kind)
        return bad_request(std::string(kind) + " in version " + in_quotes(d.version) + " cannot be handled as a " +
                           d.kind);
    return {};
}

answer<void> check_metadata(resource_definition const& d, json::object const& body) {
    auto const& meta = metadata_of(body);
    auto const name = text_in(meta, "name");
    auto const prefix = text_in(meta, "generateName");
    causes found;
    if (!prefix.empty()) check_name(d, prefix, "metadata.generateName", true, found);
    if (name.empty())
        found.emplace_back("FieldValueRequired", "Required value: name or generateName is required", "metadata.name");
    else
        check_name(d, name, "metadata.name", false, found);
    if (auto const* labels = object_in(meta, "labels")) check_labels(*labels, found);
    if (auto const* owners = array_in(meta, "ownerReferences")) check_owners(*owners, found);
    if (!found.empty()) return invalid(d, name, std::move(found));
    return {};
}

json::object canonical(resource_definition const& d, json::object const& body) {
    json::object out;
    out.reserve(body.size() + 3);
    out["apiVersion"] = d.api_version();
    out["kind"] = d.kind;
    json::object meta;
    for (auto const& [k, v] : metadata_of(body)) {
        bool const bare = v.is_null() || (v.is_object() && v.get_object().empty()) ||
                          (v.is_array() && v.get_array().empty()) || (v.is_string() && v.get_string().empty());
        if (!bare && k != "managedFields" && k != "selfLink") meta.emplace(k, v);
    }
    out["metadata"] = std::move(meta);
    for (auto const& [k, v] : body)
        if (k != "apiVersion" && k != "kind" && k != "metadata" && !v.is_null()) out.emplace(k, v);
    return out;
}

} // namespace kftrain::apiserver
