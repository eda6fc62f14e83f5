#include "selector.hpp"

#include "json_access.hpp"
#include "refusals.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

std::string text_at(json::object const& o, std::string_view path) {
    auto const* v = at_path(o, path);
    if (v == nullptr || v->is_null()) return {};
    return v->is_string() ? std::string(view(v->get_string())) : json::serialize(*v);
}

} // namespace

answer<selector> selector::parse(resource_definition const& d, std::string_view ns, std::string_view labels,
                                 std::string_view fields) {
    selector out;
    out.namespace_ = ns;
    auto by_label = label_query::parse(labels);
    if (!by_label) return bad_request(by_label.error().detail.message);
    out.labels_ = *std::move(by_label);
    auto by_field = field_query::parse(fields);
    if (!by_field) return bad_request(by_field.error().detail.message);
    out.fields_ = *std::move(by_field);
    for (auto const& f : out.fields_.requirements) {
        bool const known = f.path == "metadata.name" ||
                           (f.path == "metadata.namespace" && d.where == scope::namespaced) ||
                           std::ranges::find(d.selectable_fields, f.path) != d.selectable_fields.end();
        if (!known) return bad_request("field label not supported: " + f.path);
    }
    return out;
}

bool selector::matches(stored_object const& object) const {
    if (!namespace_.empty() && object.namespace_() != namespace_) return false;
    if (!fields_.matches_fields([&](std::string_view path) { return text_at(object.value(), path); })) return false;
    if (labels_.empty()) return true;
    auto const* found = object_in(metadata_of(object.value()), "labels");
    auto const& labels = found != nullptr ? *found : empty_object;
    return labels_.matches_labels([&](std::string_view name) -> std::optional<std::string_view> {
        auto const* v = labels.if_contains(key(name));
        if (v == nullptr) return std::nullopt;
        return view(v->get_string());
    });
}

} // namespace kftrain::apiserver
