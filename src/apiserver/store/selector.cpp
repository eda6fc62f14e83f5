#include "apiserver/store/selector.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/object_facts.hpp"

#include <algorithm>

namespace kftrain::apiserver {

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
                           (f.path == "metadata.namespace" && d.where == resource_scope::namespaced) ||
                           std::ranges::find(d.selectable_fields, f.path) != d.selectable_fields.end();
        if (!known) return bad_request("field label not supported: " + f.path);
    }
    return out;
}

bool selector::matches(stored_object const& object) const {
    if (!namespace_.empty() && object.namespace_() != namespace_) return false;
    auto const& facts = object.facts();
    auto const field = [&](std::string_view path) {
        auto const known = facts.field(path);
        return known ? std::string(*known) : field_text(object.parsed(), path);
    };
    return fields_.matches_fields(field) &&
           labels_.matches_labels([&](std::string_view name) { return facts.label(name); });
}

} // namespace kftrain::apiserver
