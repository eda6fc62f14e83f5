#include "apiserver/checks/builtin_checks.hpp"

#include "model/rules/value_syntax.hpp"
#include "model/scalars/base64.hpp"

#include <map>

namespace kftrain::apiserver {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr std::string_view too_many_bytes = "must have at most 1048576 bytes";
constexpr std::string_view kept = "field is immutable when `immutable` is set";

using entries = std::map<std::string_view, std::string_view>;

entries entries_of(json::object const& object, std::string_view member) {
    entries all;
    if (auto const* values = object_in(object, member))
        for (auto const& [k, v] : *values)
            if (auto const* text = v.if_string()) all.emplace(std::string_view(k.data(), k.size()), view(*text));
    return all;
}

std::string at_key(std::string_view member, std::string_view name) {
    return std::string(member).append("[").append(name).append("]");
}

std::string decoded(std::string_view base64) { return base64_decode(base64).value_or(std::string()); }

void require(std::string_view name, field_faults& found) { found.required(at_key("data", name)); }

std::string_view type_name(json::value const& v) {
    switch (v.kind()) {
    case json::kind::array: return "array";
    case json::kind::string: return "string";
    case json::kind::bool_: return "bool";
    default: return "number";
    }
}

/// Credentials for registries are a JSON object.
void check_registries(entries const& data, std::string_view name, field_faults& found) {
    auto const at = data.find(name);
    if (at == data.end()) return require(name, found);
    auto const text = decoded(at->second);
    std::string why;
    auto const parsed = parse_value(text);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        why = "unexpected end of JSON input";
    else if (!parsed)
        why = "expected a JSON object";
    else if (!parsed->is_object() && !parsed->is_null())
        why = "json: cannot unmarshal " + std::string(type_name(*parsed)) +
              " into Go value of type map[string]interface {}";
    if (!why.empty()) found.invalid_text(at_key("data", name), "<secret contents redacted>", why);
}

void check_type_of_secret(json::object const& secret, entries const& data, field_faults& found) {
    auto const type = text_in(secret, "type");
    if (type == "kubernetes.io/service-account-token") {
        constexpr std::string_view account = "kubernetes.io/service-account.name";
        auto const* annotations = object_in(metadata_of(secret), "annotations");
        if (annotations == nullptr || text_in(*annotations, account).empty())
            found.required(at_key("metadata.annotations", account));
    } else if (type == "kubernetes.io/dockercfg") {
        check_registries(data, ".dockercfg", found);
    } else if (type == "kubernetes.io/dockerconfigjson") {
        check_registries(data, ".dockerconfigjson", found);
    } else if (type == "kubernetes.io/basic-auth") {
        if (data.contains("username") || data.contains("password")) return;
        require("username", found);
        require("password", found);
    } else if (type == "kubernetes.io/ssh-auth") {
        auto const at = data.find("ssh-privatekey");
        if (at == data.end() || at->second.empty()) require("ssh-privatekey", found);
    } else if (type == "kubernetes.io/tls") {
        for (auto const* name : {"tls.crt", "tls.key"})
            if (!data.contains(name)) require(name, found);
    }
}

/// What an object that calls itself immutable keeps.
void check_kept(json::object const& old, json::object const& next, std::initializer_list<std::string_view> members,
                field_faults& found) {
    if (!true_in(old, "immutable")) return;
    if (!true_in(next, "immutable")) found.forbidden("immutable", kept);
    for (auto const member : members)
        if (entries_of(old, member) != entries_of(next, member)) found.forbidden(std::string(member), kept);
}

} // namespace

void check_config_map(json::object const& map, field_faults& found) {
    auto const texts = entries_of(map, "data");
    auto const binary = entries_of(map, "binaryData");
    std::size_t bytes = 0;
    for (auto const& [name, value] : texts) {
        found.invalid_text(at_key("data", name), name, config_key_faults(name));
        if (binary.contains(name))
            found.invalid_text(at_key("data", name), name, "duplicate of key present in binaryData");
        bytes += value.size();
    }
    for (auto const& [name, value] : binary) {
        found.invalid_text(at_key("binaryData", name), name, config_key_faults(name));
        bytes += decoded(value).size();
    }
    if (bytes > most_bytes) found.too_long("[]", too_many_bytes); // so upstream prints the object as a whole
}

void check_secret(json::object const& secret, field_faults& found) {
    auto const data = entries_of(secret, "data");
    std::size_t bytes = 0;
    for (auto const& [name, value] : data) {
        found.invalid_text(at_key("data", name), name, config_key_faults(name));
        bytes += decoded(value).size();
    }
    if (bytes > most_bytes) found.too_long("data", too_many_bytes);
    check_type_of_secret(secret, data, found);
}

void check_config_map_update(json::object const& old, json::object const& next, field_faults& found) {
    check_kept(old, next, {"data", "binaryData"}, found);
    check_config_map(next, found);
}

void check_secret_update(json::object const& old, json::object const& next, field_faults& found) {
    if (auto const type = text_in(next, "type"); type != text_in(old, "type"))
        found.invalid_text("type", type, "field is immutable");
    check_kept(old, next, {"data"}, found);
    check_secret(next, found);
}

} // namespace kftrain::apiserver
