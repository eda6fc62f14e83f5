#include "apiserver/checks/schema_rules.hpp"

#include "apiserver/checks/metadata.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/joined.hpp"
#include "model/schema/schema_value.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view metadata_fields =
    "annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName "
    "generation labels managedFields name namespace ownerReferences resourceVersion selfLink uid";
constexpr std::string_view owner_fields = "apiVersion blockOwnerDeletion controller kind name uid";

void prune_fields(json::object& o, std::string_view known, std::string const& path, std::vector<std::string>& unknown) {
    std::vector<std::string> gone;
    for (auto const& [k, v] : o)
        if (!is_word_of(known, {k.data(), k.size()})) gone.emplace_back(k);
    for (auto const& name : gone) {
        o.stable_erase(name);
        unknown.push_back(path + "." + name);
    }
}

/// Metadata is typed for every kind; what the type does not have is lost in decoding.
std::vector<std::string> prune_metadata(json::object& body) {
    std::vector<std::string> unknown;
    auto* meta = object_in(body, "metadata");
    if (meta == nullptr) return unknown;
    prune_fields(*meta, metadata_fields, "metadata", unknown);
    auto* owners = meta->if_contains("ownerReferences");
    if (auto* list = owners != nullptr ? owners->if_array() : nullptr)
        for (std::size_t i = 0; i < list->size(); ++i)
            if (auto* o = (*list)[i].if_object())
                prune_fields(*o, owner_fields, "metadata.ownerReferences[" + std::to_string(i) + "]", unknown);
    return unknown;
}

answer<void> refuse(resource_definition const& d, json::object const& object, std::vector<refusal_cause> refused,
                    std::vector<schema_violation> found) {
    for (auto& v : found) refused.emplace_back(std::move(v.reason), std::move(v.message), std::move(v.field));
    if (refused.empty()) return {};
    return invalid(d, text_in(metadata_of(object), "name"), std::move(refused));
}

void settle(json::object& object) {
    for (auto& member : object)
        if (member.key() != "metadata") settle_numbers(member.value());
}

} // namespace

std::vector<std::string> take_form(resource_definition const& d, json::object& body) {
    if (d.schema.empty()) return {};
    auto unknown = prune_metadata(body);
    std::ranges::move(prune(d.schema, body), std::back_inserter(unknown));
    drop_nulls(d.schema, body);
    set_schema_defaults(d.schema, body);
    return unknown;
}

answer<std::vector<std::string>> judge_unknown(resource_definition const& d, std::vector<std::string> const& unknown,
                                               field_validation how, std::vector<std::string> texts) {
    for (auto const& path : unknown) texts.push_back("unknown field \"" + path + "\"");
    return judge_faults(d, std::move(texts), how);
}

answer<std::vector<std::string>> judge_faults(resource_definition const& d, std::vector<std::string> texts,
                                              field_validation how) {
    if (how == field_validation::ignore) return std::vector<std::string>();
    if (how == field_validation::warn || texts.empty()) return texts;
    return bad_request(d.kind + " in version " + in_quotes(d.version) + " cannot be handled as a " + d.kind +
                       ": strict decoding error: " + joined(texts, ", "));
}

answer<void> check_object(resource_definition const& d, json::object& object, json::object const* old,
                          answer<void> metadata) {
    if (d.schema.empty()) return metadata;
    std::vector<refusal_cause> causes;
    if (!metadata) causes = std::move(metadata.error().causes);
    bool const blocked = std::ranges::any_of(
        causes, [](auto const& c) { return c.reason == "FieldValueRequired" || c.reason == "FieldValueTooLong"; });
    auto found = validate(d.schema, object, old, blocked);
    settle(object);
    return refuse(d, object, std::move(causes), std::move(found));
}

answer<void> check_status(resource_definition const& d, json::object& object, json::object const& old) {
    if (d.schema.empty()) return {};
    auto found = validate_status(d.schema, object, old);
    settle(object);
    return refuse(d, object, {}, std::move(found));
}

} // namespace kftrain::apiserver
