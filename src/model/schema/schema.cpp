#include <kftrain/model/schema.hpp>

#include "model/schema/schema_node.hpp"
#include "model/schema/schema_scale.hpp"
#include "model/schema/schema_value.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace kftrain {
namespace {

namespace json = boost::json;

using violations = std::vector<schema_violation>;

void append(violations& to, violations from) {
    to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
}

/// Of these reasons one alone keeps expressions from being evaluated.
bool blocks_rules(schema_violation const& v) {
    constexpr std::array<std::string_view, 5> reasons{"FieldValueNotSupported", "FieldValueRequired",
                                                      "FieldValueTooLong", "FieldValueTooMany",
                                                      "FieldValueTypeInvalid"};
    return std::ranges::find(reasons, v.reason) != reasons.end();
}

void append_rules(resource_schema::compiled const& s, json::value const& v, json::value const* old, bool blocked,
                  violations& out) {
    if (!s.has_rules) return;
    if (blocked || std::ranges::any_of(out, blocks_rules))
        out.emplace_back("FieldValueInvalid", "<nil>",
                         "Invalid value: \"null\": some validation rules were not checked because the object was "
                         "invalid; correct the existing errors to complete validation");
    else
        append(out, validate_rules(*s.root, v, old, s.shows_values));
}

/// The server sets it before it checks rules for the name.
void set_generated_name(json::object& o) {
    auto* const found = o.if_contains("metadata");
    auto* const metadata = found != nullptr ? found->if_object() : nullptr;
    if (metadata == nullptr) return;
    auto const* const prefix = metadata->if_contains("generateName");
    auto const* const name = metadata->if_contains("name");
    bool const named = name != nullptr && (!name->is_string() || !name->get_string().empty());
    if (named || prefix == nullptr || !prefix->is_string() || prefix->get_string().empty()) return;
    // The form of sample_of_generated_name(), which is in a higher room.
    (*metadata)["name"] = std::string(prefix->get_string()).substr(0, 58) + "xxxxx";
}

// Deeper than any object of Kubernetes; the functions here recurse once per level.
constexpr std::size_t max_depth = 512;

result<json::object> read(std::string_view text) {
    json::parse_options options;
    options.max_depth = max_depth;
    error_code ec;
    auto v = json::parse(json::string_view(text.data(), text.size()), ec, {}, options);
    failure f;
    if (ec) {
        bool const deep = ec == json::error::too_deep;
        f.code = deep ? errc::too_deep : errc::syntax;
        f.detail.message = deep ? "nested deeper than " + std::to_string(max_depth) + " levels" : ec.message();
        return f;
    }
    if (!v.is_object()) {
        f.code = errc::type_mismatch;
        f.detail.message = "expected a JSON object";
        return f;
    }
    return std::move(v.get_object());
}

} // namespace

issue schema_violation::to_issue() const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> rules{
        {{"FieldValueRequired", "schema.required"},
         {"FieldValueTypeInvalid", "schema.type"},
         {"FieldValueNotSupported", "schema.enum"},
         {"FieldValueTooLong", "schema.too-long"},
         {"FieldValueTooMany", "schema.too-many"},
         {"FieldValueDuplicate", "schema.duplicate"},
         {"FieldValueInvalid", "schema.invalid"}}};
    issue out;
    auto const known = std::ranges::find(rules, reason, [](auto const& r) { return r.first; });
    out.rule = known != rules.end() ? known->second : "schema";
    out.path = field;
    out.message = text();
    return out;
}

violations validate(resource_schema const& s, json::object const& object, json::object const* old, bool blocked) {
    if (s.empty()) return {};
    auto const& root = *s.get()->root;
    json::value const v(object);
    std::optional<json::value> const before = old != nullptr ? std::optional<json::value>(*old) : std::nullopt;
    auto const* was = before ? &*before : nullptr;
    auto out = validate_structure(root, v, was, "");
    if (auto const& scale = s.scale()) {
        check_scale_spec(*scale, object, out);
        check_scale_status(*scale, object, out);
    }
    // Lists that were wrong already may stay so.
    if (was == nullptr || validate_lists(root, *was).empty()) append(out, validate_lists(root, v));
    append_rules(*s.get(), v, was, blocked, out);
    return out;
}

violations validate_status(resource_schema const& s, json::object const& object, json::object const& old) {
    if (s.empty()) return {};
    auto const& root = *s.get()->root;
    violations out;
    auto const* status = object.if_contains("status");
    if (auto const* n = root.property("status"); n != nullptr && status != nullptr)
        out = validate_structure(*n, *status, nullptr, "status");
    if (auto const& scale = s.scale()) check_scale_status(*scale, object, out);
    json::value const v(object), was(old);
    if (validate_lists(root, was).empty()) append(out, validate_lists(root, v));
    append_rules(*s.get(), v, &was, false, out);
    return out;
}

result<pruned_object> prune(resource_schema const& s, std::string_view text) {
    auto o = read(text);
    if (!o) return o.error();
    pruned_object out;
    out.unknown_fields = prune(s, *o);
    out.json = json::serialize(*o);
    return out;
}

result<std::string> set_schema_defaults(resource_schema const& s, std::string_view text) {
    auto o = read(text);
    if (!o) return o.error();
    drop_nulls(s, *o);
    set_schema_defaults(s, *o);
    return json::serialize(*o);
}

result<issues> schema_issues(resource_schema const& s, std::string_view text) {
    auto o = read(text);
    if (!o) return o.error();
    return schema_issues(s, *std::move(o));
}

issues schema_issues(resource_schema const& s, json::object o) {
    issues out;
    for (auto& field : prune(s, o)) {
        issue warning;
        warning.rule = "schema.unknown-field";
        warning.level = issue::severity::warning;
        warning.message = "unknown field \"" + field + "\"";
        warning.path = std::move(field);
        out.push_back(std::move(warning));
    }
    drop_nulls(s, o);
    set_schema_defaults(s, o);
    set_generated_name(o);
    for (auto const& v : validate(s, o, nullptr)) out.push_back(v.to_issue());
    return out;
}

result<std::vector<schema_violation>> validate(resource_schema const& s, std::string_view text,
                                               std::string_view old_text) {
    auto const o = read(text);
    if (!o) return o.error();
    if (old_text.empty()) return validate(s, *o, nullptr);
    auto const old = read(old_text);
    if (!old) return old.error();
    return validate(s, *o, &*old);
}

} // namespace kftrain
