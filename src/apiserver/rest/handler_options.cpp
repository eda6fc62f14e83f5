#include "apiserver/rest/handler_options.hpp"

#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/joined.hpp"
#include "model/json/go_rune.hpp"
#include "model/json/go_text.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/raw_json.hpp>

#include <algorithm>
#include <cstdint>

// Every source that describes an object with such members holds this table.
extern template struct kftrain::model::table<kftrain::raw_json>;

namespace kftrain::apiserver {

namespace {

/// Upstream: apimachinery `pkg/apis/meta/v1/validation`, v0.31.
refusal invalid_options(std::string_view kind, std::vector<refusal_cause> causes) {
    auto const list = joined(causes, ", ", [](auto const& c) { return c.field + ": " + c.message; });
    refusal r(422, reason::invalid,
              std::string(kind) + ".meta.k8s.io \"\" is invalid: " + (causes.size() > 1 ? "[" + list + "]" : list));
    r.group = "meta.k8s.io";
    r.kind = kind;
    r.causes = std::move(causes);
    return r;
}

refusal invalid_options(std::string_view kind, char const* field, std::string cause, std::string why) {
    std::vector<refusal_cause> causes;
    causes.emplace_back(std::move(cause), std::move(why), field);
    return invalid_options(kind, std::move(causes));
}

constexpr std::size_t longest_manager = 128;
/// More faults of a name are not reported: each repeats the name.
constexpr std::size_t most_manager_faults = 8;

/// Calls `visit(code point, characters, position)` for each character of a text; invalid UTF-8 has no code point.
void visit_characters(std::string_view text, auto const& visit) {
    for (std::size_t at = 0; at < text.size();) {
        auto const [value, bytes] = go_text::read_rune(text.substr(at));
        auto const size = std::max<std::size_t>(bytes, 1);
        visit(bytes != 0 ? std::optional(value) : std::nullopt, text.substr(at, size), at);
        at += size;
    }
}

/// `U+0001`
std::string print_code_point(char32_t value) {
    std::string digits;
    for (auto rest = static_cast<std::uint32_t>(value); rest != 0 || digits.size() < 4; rest /= 16)
        digits.insert(digits.begin(), "0123456789ABCDEF"[rest % 16]);
    return "U+" + digits;
}

answer<void> check_manager(std::string_view options, std::string_view manager) {
    std::vector<refusal_cause> causes;
    if (manager.size() > longest_manager)
        causes.emplace_back("FieldValueTooLong", "Too long: must have at most 128 bytes", "fieldManager");
    visit_characters(manager, [&](std::optional<char32_t> value, std::string_view, std::size_t at) {
        if (!value || go_text::is_printable(*value) || causes.size() == most_manager_faults) return;
        causes.emplace_back("FieldValueInvalid",
                            "Invalid value: " + go_text::quoted(manager) + ": invalid character " +
                                print_code_point(*value) + " (at position " + std::to_string(at) + ")",
                            "fieldManager");
    });
    if (causes.empty()) return {};
    return invalid_options(options, std::move(causes));
}

/// Upstream: `prefixFromUserAgent` of apiserver `pkg/endpoints/handlers/create.go`, v0.31.
std::string program_of(std::string_view user_agent) {
    auto const name = user_agent.substr(0, user_agent.find('/'));
    std::string out;
    bool is_full = false;
    visit_characters(name, [&](std::optional<char32_t> value, std::string_view character, std::size_t) {
        if (!value || !go_text::is_printable(*value)) return;
        is_full = is_full || out.size() + character.size() > longest_manager;
        if (!is_full) out += character;
    });
    return out;
}

refusal unknown_dry_run(std::string_view options, std::string_view value) {
    return invalid_options(options, "dryRun", "FieldValueNotSupported",
                           "Unsupported value: []string{" + in_quotes(value) + "}: supported values: \"All\"");
}

} // namespace

answer<void> check_options(request_target const& t, std::string_view options) {
    bool const writes = options == "CreateOptions" || options == "UpdateOptions" || options == "PatchOptions";
    if (writes)
        if (auto ok = check_manager(options, t.get("fieldManager")); !ok) return ok.error();
    if (auto const dry = t.get("dryRun"); !dry.empty() && dry != "All") return unknown_dry_run(options, dry);
    auto const validation = t.get("fieldValidation");
    if (!validation.empty() && validation != "Strict" && validation != "Warn" && validation != "Ignore")
        return bad_request("fieldValidation: \"" + std::string(validation) + "\", expected Strict, Warn or Ignore");
    return {};
}

std::vector<std::string> text_faults(request_target const& t, resource_definition const& d, std::string_view body) {
    auto const how = t.get("fieldValidation");
    if (how.empty() || how == "Ignore") return {}; // most requests: this reads the body again
    return strict_faults(d, body);
}

field_validation validation_of(request_target const& t) {
    auto const level = t.get("fieldValidation");
    return level == "Strict"   ? field_validation::strict
           : level == "Ignore" ? field_validation::ignore
                               : field_validation::warn;
}

write_options write_options_of(kube::http_request const& r, request_target const& t) {
    write_options out(validation_of(t));
    out.dry_run = t.get("dryRun") == "All";
    out.manager = t.get("fieldManager");
    if (out.manager.empty()) out.manager = program_of(r.fields.get("User-Agent"));
    out.force = t.flag("force");
    return out;
}

refusal missing_manager() {
    return invalid_options("PatchOptions", "fieldManager", "FieldValueRequired",
                           "Required value: is required for apply patch");
}

refusal forbidden_force() {
    return invalid_options("PatchOptions", "force", "FieldValueForbidden",
                           "Forbidden: may not be specified for non-apply patch");
}

answer<void> check_body_type(kube::http_request const& r, std::string_view accepted) {
    auto const type = media_type(r.fields.get("Content-Type"));
    if (type.empty() || type == accepted) return {};
    return unsupported_media_type(std::string(accepted) + ", application/yaml");
}

answer<std::optional<kube::http_request>> read_yaml_body(kube::http_request const& r) {
    auto const type = media_type(r.fields.get("Content-Type"));
    bool const is_yaml = type == "application/yaml", is_configuration = type == "application/apply-patch+yaml";
    if (r.body.empty() || (!is_yaml && !(is_configuration && !r.body.starts_with('{'))))
        return std::optional<kube::http_request>();
    auto read = from_yaml<raw_json>(r.body);
    if (!read) return bad_request("error converting YAML to JSON: " + read.error().to_string());
    std::optional<kube::http_request> out(r);
    out->body = std::move(read->text);
    if (is_yaml) out->fields.set("Content-Type", "application/json");
    return out;
}

answer<std::optional<row_object>> rows_of(request_target const& t, media m) {
    if (m != media::table) return std::optional<row_object>();
    auto const include = t.get("includeObject");
    if (include.empty() || include == "Metadata") return std::optional(row_object::metadata);
    if (include == "None") return std::optional(row_object::none);
    if (include == "Object") return std::optional(row_object::object);
    return bad_request("unrecognized includeObject value: " + in_quotes(include));
}

answer<delete_options> read_remove_options(kube::http_request const& r, request_target const& t) {
    delete_options out;
    if (r.body.empty()) {
        auto grace = t.number("gracePeriodSeconds");
        if (!grace) return grace.error();
        out.grace_period_seconds = *grace;
        out.propagation = t.get("propagationPolicy");
        out.dry_run = t.get("dryRun") == "All";
        if (t.has("orphanDependents")) out.propagation = t.flag("orphanDependents") ? "Orphan" : "Background";
        return out;
    }
    if (auto ok = check_body_type(r, "application/json"); !ok) return ok.error();
    auto const body = parse_object(r.body);
    if (!body) return body.error();
    if (auto const kind = text_in(*body, "kind"); !kind.empty() && kind != "DeleteOptions")
        return bad_request(std::string(kind) + " cannot be handled as a DeleteOptions");
    if (auto const* dry = array_in(*body, "dryRun"); dry != nullptr)
        for (auto const& v : *dry) {
            if (v != "All") return unknown_dry_run("DeleteOptions", v.is_string() ? view(v.get_string()) : "");
            out.dry_run = true;
        }
    if (auto const* grace = body->if_contains("gracePeriodSeconds"); grace != nullptr && !grace->is_null()) {
        if (!grace->is_int64()) return bad_request("gracePeriodSeconds: expected a whole number");
        out.grace_period_seconds = grace->get_int64();
    }
    out.propagation = text_in(*body, "propagationPolicy");
    if (auto const* orphan = body->if_contains("orphanDependents"); orphan != nullptr && orphan->is_bool())
        out.propagation = orphan->get_bool() ? "Orphan" : "Background";
    if (auto const* p = object_in(*body, "preconditions")) {
        if (auto const uid = text_in(*p, "uid"); !uid.empty()) out.uid = uid;
        if (auto const version = text_in(*p, "resourceVersion"); !version.empty()) out.resource_version = version;
    }
    return out;
}

list_query read_list_query(request_target const& t, std::string_view ns) {
    list_query q;
    q.namespace_ = ns;
    q.label_selector = t.get("labelSelector");
    q.field_selector = t.get("fieldSelector");
    q.continue_ = t.get("continue");
    q.resource_version = t.get("resourceVersion");
    q.resource_version_match = t.get("resourceVersionMatch");
    return q;
}

answer<void> check_initial_events(request_target const& t) {
    bool const wants_initial_events = t.has("sendInitialEvents");
    auto const match = t.get("resourceVersionMatch");
    if (wants_initial_events && match != "NotOlderThan")
        return forbidden_option("resourceVersionMatch",
                                "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    if (!wants_initial_events && !match.empty())
        return forbidden_option("resourceVersionMatch",
                                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    return {};
}

refusal forbidden_option(std::string field, std::string why) {
    return invalid_options("ListOptions", field.c_str(), "FieldValueForbidden", "Forbidden: " + std::move(why));
}

} // namespace kftrain::apiserver
