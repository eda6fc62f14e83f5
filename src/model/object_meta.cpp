#include "model/object_meta.hpp"

#include "model/go_text.hpp"
#include "model/json_text.hpp"
#include "model/label_syntax.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace kftrain {
namespace {

namespace json = boost::json;

using faults = std::vector<metadata_fault>;

constexpr std::size_t annotation_limit = 262144; // bytes of all keys and values
constexpr std::array<std::string_view, 3> standard_finalizers{"foregroundDeletion", "kubernetes", "orphan"};
/// Each text about one controller too many repeats all owners: a few say enough, and time stays even.
constexpr std::size_t told_controllers = 8;

std::string_view view(json::string_view s) noexcept { return {s.data(), s.size()}; }

json::object const* object_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_object() : nullptr;
}
json::array const* array_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_array() : nullptr;
}
std::string_view text_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    auto const* s = v != nullptr ? v->if_string() : nullptr;
    return s != nullptr ? view(*s) : std::string_view();
}
bool const* truth_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_bool() : nullptr;
}

std::string with_key(std::string path, std::string_view key) {
    detail::append_path_key(key, path);
    return path;
}
std::string with_index(std::string path, std::size_t index) {
    detail::append_path_index(index, path);
    return path;
}

/// `printed` is the value as errors of fields print it.
void invalid(faults& out, std::string const& field, std::string const& printed, std::string_view why,
             std::string place) {
    out.emplace_back("FieldValueInvalid", field, "Invalid value: " + printed + ": " + std::string(why),
                     std::move(place));
}

void find_name_faults(json::object const& meta, name_rule rule, scope where, faults& out) {
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
    if (where == scope::cluster) {
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
    std::ranges::sort(members, {}, [](auto const* member) { return view(member->key()); });
    return members;
}

void find_label_faults(json::object const& labels, faults& out) {
    std::string const field = "metadata.labels";
    for (auto const* member : by_key(labels)) {
        auto const key = view(member->key());
        auto const* value = member->value().if_string();
        auto const place = with_key(field, key);
        for (auto const& why : label_key_faults(key)) invalid(out, field, go_text::quoted(key), why, place);
        if (value == nullptr) continue;
        for (auto const& why : label_value_faults(view(*value)))
            invalid(out, field, go_text::quoted(view(*value)), why, place);
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
            out += s[i] >= 'A' && s[i] <= 'Z' ? static_cast<char>(s[i] - 'A' + 'a') : s[i];
        }
    }
    return out;
}

void find_annotation_faults(json::object const& annotations, faults& out) {
    std::string const field = "metadata.annotations";
    std::size_t bytes = 0;
    for (auto const* member : by_key(annotations)) {
        auto const key = view(member->key());
        for (auto const& why : label_key_faults(lower(key)))
            invalid(out, field, go_text::quoted(key), why, with_key(field, key));
        bytes += key.size();
        if (auto const* value = member->value().if_string()) bytes += value->size();
    }
    if (bytes > annotation_limit)
        out.emplace_back("FieldValueTooLong", field,
                         "Too long: must have at most " + std::to_string(annotation_limit) + " bytes", field);
}

/// As `%#v`, which prints addresses of the two truth values; here it is the values.
std::string go_syntax(json::object const& owner) {
    auto const text = [&](std::string_view name) { return go_text::quoted(text_in(owner, name)); };
    auto const truth = [&](std::string_view name) {
        auto const* b = truth_in(owner, name);
        return std::string("(*bool)(") + (b == nullptr ? "nil" : *b ? "true" : "false") + ")";
    };
    return "v1.OwnerReference{APIVersion:" + text("apiVersion") + ", Kind:" + text("kind") + ", Name:" + text("name") +
           ", UID:" + text("uid") + ", Controller:" + truth("controller") +
           ", BlockOwnerDeletion:" + truth("blockOwnerDeletion") + "}";
}
std::string go_syntax(json::array const& owners) {
    std::string out = "[]v1.OwnerReference{";
    for (auto const& owner : owners)
        if (owner.is_object()) out += (out.ends_with('{') ? "" : ", ") + go_syntax(owner.get_object());
    return out + "}";
}

/// The part of an apiVersion behind its only slash, or all of it; none of what is no apiVersion.
std::string_view version_in(std::string_view api_version) {
    auto const slash = api_version.find('/');
    if (slash == std::string_view::npos) return api_version;
    auto const version = api_version.substr(slash + 1);
    return version.find('/') == std::string_view::npos ? version : std::string_view();
}

void find_owner_faults(json::array const& owners, faults& out) {
    std::string const field = "metadata.ownerReferences";
    std::string controller;
    std::size_t surplus = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        if (!owners[i].is_object()) continue;
        auto const& owner = owners[i].get_object();
        auto const place = with_index(field, i);
        auto const api_version = text_in(owner, "apiVersion");
        auto const kind = text_in(owner, "kind");
        auto const name = text_in(owner, "name");
        auto const demand = [&](std::string_view part, std::string_view value, bool absent, std::string_view what) {
            if (absent)
                invalid(out, with_key(field, part), go_text::quoted(value), std::string(what) + " must not be empty",
                        with_key(place, part));
        };
        demand("apiVersion", api_version, version_in(api_version).empty(), "version");
        demand("kind", kind, kind.empty(), "kind");
        demand("name", name, name.empty(), "name");
        demand("uid", {}, text_in(owner, "uid").empty(), "uid");
        if (kind == "Event" && (api_version == "v1" || api_version == "/v1"))
            invalid(out, field, go_syntax(owner), "/v1, Kind=Event is disallowed from being an owner", place);
        auto const* controls = truth_in(owner, "controller");
        if (controls == nullptr || !*controls) continue;
        auto const who = std::string(kind).append("/").append(name);
        if (controller.empty())
            controller = who;
        else if (++surplus <= told_controllers)
            invalid(out, field, go_syntax(owners),
                    "Only one reference can have Controller set to true. Found \"true\" in references for " +
                        controller + " and " + who,
                    place);
    }
}

void find_finalizer_faults(json::array const& finalizers, faults& out) {
    std::string const field = "metadata.finalizers";
    bool orphan = false, foreground = false;
    std::string all;
    for (std::size_t i = 0; i < finalizers.size(); ++i) {
        if (!finalizers[i].is_string()) continue;
        auto const name = view(finalizers[i].get_string());
        auto const printed = go_text::quoted(name);
        for (auto const& why : label_key_faults(name)) invalid(out, field, printed, why, with_index(field, i));
        orphan = orphan || name == "orphan";
        foreground = foreground || name == "foregroundDeletion";
        all += (all.empty() ? "" : ", ") + printed;
    }
    if (orphan && foreground)
        invalid(out, field, "[]string{" + all + "}", "finalizer orphan and foregroundDeletion cannot be both set",
                field);
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
        bool const upper = c >= 'A' && c <= 'Z';
        if (upper) out.rule += '-';
        out.rule += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (what.reason.empty()) out.level = issue::severity::warning;
    out.path = what.field;
    out.message = what.text();
    return out;
}

faults object_meta_faults(json::object const& metadata, name_rule rule, scope where) {
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

faults builtin_finalizer_faults(json::object const& metadata) {
    faults out;
    auto const* finalizers = array_in(metadata, "finalizers");
    if (finalizers == nullptr) return out;
    for (std::size_t i = 0; i < finalizers->size(); ++i) {
        if (!(*finalizers)[i].is_string()) continue;
        auto const name = view((*finalizers)[i].get_string());
        if (name.find('/') != std::string_view::npos ||
            std::ranges::find(standard_finalizers, name) != standard_finalizers.end())
            continue;
        auto const field = with_index("metadata.finalizers", i);
        invalid(out, field, go_text::quoted(name),
                "name is neither a standard finalizer name nor is it fully qualified", field);
    }
    return out;
}

faults finalizer_warnings(json::object const& metadata, json::object const* old) {
    std::set<std::string_view> known(standard_finalizers.begin(), standard_finalizers.end());
    auto const* before = old != nullptr ? array_in(*old, "finalizers") : nullptr;
    if (before != nullptr)
        for (auto const& v : *before)
            if (v.is_string()) known.insert(view(v.get_string()));
    faults out;
    auto const* finalizers = array_in(metadata, "finalizers");
    if (finalizers == nullptr) return out;
    for (std::size_t i = 0; i < finalizers->size(); ++i) {
        if (!(*finalizers)[i].is_string()) continue;
        auto const name = view((*finalizers)[i].get_string());
        if (name.find('/') != std::string_view::npos || !known.insert(name).second) continue;
        out.emplace_back("", "metadata.finalizers",
                         go_text::quoted(name) + ": prefer a domain-qualified finalizer name to avoid accidental "
                                                 "conflicts with other finalizer writers",
                         with_index("metadata.finalizers", i));
    }
    std::ranges::sort(out, {}, [](auto const& warning) { return warning.what.message; });
    return out;
}

faults created_meta_faults(json::object const& metadata) {
    json::object completed(metadata);
    auto const prefix = text_in(metadata, "generateName");
    bool const generated = text_in(metadata, "name").empty() && !prefix.empty();
    if (generated) completed["name"] = std::string(prefix.substr(0, 58)) + "xxxxx";
    if (text_in(metadata, "namespace").empty()) completed["namespace"] = "default";
    completed["generation"] = 1;
    auto out = object_meta_faults(completed, dns_subdomain_faults, scope::namespaced);
    // What is wrong with a generated name is mostly wrong with its prefix, and told of it.
    if (generated && !out.empty() && out.front().what.field == "metadata.generateName")
        std::erase_if(out, [](auto const& fault) { return fault.what.field == "metadata.name"; });
    return out;
}

} // namespace kftrain
