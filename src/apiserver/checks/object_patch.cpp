#include "apiserver/checks/object_patch.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "model/patch/json_merge.hpp"
#include "model/patch/json_patch.hpp"
#include "model/patch/strategic_patch.hpp"

#include <array>

namespace kftrain::apiserver {
namespace {

/// Upstream has only the message; the cause has the operation and the reason.
refusal rejected(std::string why) {
    refusal r(422, reason::invalid, "the server rejected our request due to an error in our request");
    r.causes.emplace_back("FieldValueInvalid", std::move(why), "patch");
    return r;
}

std::string text_of(failure const& f) { return (f.detail.path.empty() ? "" : f.detail.path + ": ") + f.detail.message; }

/// Checks that the patch is a list of operations. The operations are checked when they are applied.
answer<void> check_operations(json::value const& patch) {
    if (patch.is_null()) return {}; // decoded as a list of none
    auto const* operations = patch.if_array();
    if (operations == nullptr) return bad_request("error decoding patch: expected a list of operations");
    for (std::size_t i = 0; i < operations->size(); ++i) {
        auto const at = "error decoding patch: operation " + std::to_string(i) + ": expected ";
        if ((*operations)[i].is_null()) continue; // an operation without members
        auto const* operation = (*operations)[i].if_object();
        if (operation == nullptr) return bad_request(at + "an object");
        for (auto const* name : {"op", "path", "from"})
            if (auto const* v = operation->if_contains(name); v != nullptr && !v->is_string() && !v->is_null())
                return bad_request(at + "a string as " + name + ", got " + json::serialize(*v).substr(0, 64));
    }
    if (operations->size() > detail::most_operations)
        return refusal(413, reason::request_entity_too_large,
                       "Request entity too large: The allowed maximum operations in a JSON patch is " +
                           std::to_string(detail::most_operations) + ", got " + std::to_string(operations->size()));
    return {};
}

answer<void> apply(patch_type type, model::descriptor const* d, json::value& object, json::value&& patch) {
    if (type == patch_type::json) {
        if (auto ok = check_operations(patch); !ok || patch.is_null()) return ok;
        try {
            detail::run_json_patch(object, patch, detail::patch_dialect::server);
        } catch (detail::patch_refused const& r) {
            return rejected(text_of(r.why));
        }
        return {};
    }
    if (!patch.is_object()) return bad_request("the patch is not a JSON object");
    if (type == patch_type::merge) {
        detail::merge(object, patch);
        return {};
    }
    try {
        detail::strategic_merge(detail::schema(d), object.get_object(), std::move(patch.get_object()));
    } catch (detail::patch_refused const& r) {
        return bad_request("the patch cannot be applied: " + text_of(r.why));
    }
    return {};
}

} // namespace

answer<json::object> apply_patch(patch_type type, model::descriptor const* d, json::value object,
                                 std::string_view text) {
    auto patch = parse_value(text, object.storage());
    if (!patch) return patch.error();
    if (auto ok = apply(type, d, object, std::move(*patch)); !ok) return ok.error();
    if (!object.is_object()) return unusable_result("expected a JSON object");
    return std::move(object.get_object());
}

refusal unusable_result(std::string const& why) {
    refusal r(422, reason::invalid, " \"\" is invalid: patch: Invalid value: " + why);
    r.causes.emplace_back("FieldValueInvalid", "Invalid value: " + why, "patch");
    return r;
}

std::string patch_types_of_any() {
    return std::string(content_type(patch_type::json)).append(", ").append(content_type(patch_type::merge));
}

std::string patch_types_of(resource_definition const& d) {
    auto types = patch_types_of_any();
    if (d.type != nullptr) types.append(", ").append(content_type(patch_type::strategic));
    return types.append(", ").append(apply_type);
}

std::optional<patch_type> patch_type_of(std::string_view media_type) noexcept {
    for (auto const type : {patch_type::json, patch_type::merge, patch_type::strategic})
        if (media_type == content_type(type)) return type;
    return std::nullopt;
}

} // namespace kftrain::apiserver
