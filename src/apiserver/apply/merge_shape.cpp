#include "apiserver/apply/merge_shape.hpp"

#include "apiserver/openapi/type_schema.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "model/codec/list_keys.hpp"
#include "model/schema/schema_node.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/object_type.hpp>

#include <algorithm>

namespace kftrain::apiserver {
namespace {

model::descriptor const* without_optional(model::descriptor const* d) {
    while (d != nullptr && d->kind == model::shape::optional) d = d->element;
    return d;
}

bool is_struct(model::descriptor const* d) { return d != nullptr && d->kind == model::shape::object; }

} // namespace

merge_shape merge_shape::of(resource_definition const& d) {
    merge_shape out;
    out.root_ = true;
    if (d.type != nullptr)
        out.type_ = d.type->model;
    else if (!d.schema.empty())
        out.node_ = d.schema.get()->root;
    return out;
}

std::vector<std::string_view> merge_shape::keys() const {
    std::vector<std::string_view> out;
    if (node_ != nullptr) {
        out.assign(node_->list_map_keys.begin(), node_->list_map_keys.end());
    } else if (field_ != nullptr) {
        out = detail::key_names(detail::key_fields(*field_));
    }
    return out;
}

merge_shape::list merge_shape::list_kind() const {
    if (node_ != nullptr)
        return node_->list_type == "map" ? list::map : node_->list_type == "set" ? list::set : list::atomic;
    if (field_ == nullptr || atomic_) return list::atomic;
    auto const rule = detail::key_fields(*field_);
    return rule.empty() ? list::atomic : rule == "*" ? list::set : list::map;
}

bool merge_shape::is_atomic() const { return atomic_ || (node_ != nullptr && node_->atomic_map); }

bool merge_shape::is_closed() const {
    if (root_) return is_struct(type_) || (node_ != nullptr && !node_->properties.empty() && !node_->preserve_unknown);
    if (node_ != nullptr) return !node_->properties.empty() && !node_->preserve_unknown && node_->additional == nullptr;
    return is_struct(type_);
}

bool merge_shape::declares(std::string_view name) const {
    if (root_ && (name == "apiVersion" || name == "kind" || name == "metadata")) return true;
    if (node_ != nullptr) return node_->property(name) != nullptr;
    return is_struct(type_) && type_->find(name) != nullptr;
}

merge_shape merge_shape::member(std::string_view name) const {
    merge_shape out;
    if (root_ && name == "metadata") {
        out.type_ = &descriptor_of<object_meta>();
        return out;
    }
    if (node_ != nullptr) {
        out.node_ = node_->member(name);
    } else if (is_struct(type_)) {
        out.field_ = type_->find(name);
        if (out.field_ == nullptr) return out;
        out.type_ = without_optional(out.field_->type);
        out.atomic_ = is_atomic_type(*out.type_) || is_atomic_member(*type_, name);
    } else if (type_ != nullptr && type_->kind == model::shape::map) {
        out.type_ = without_optional(type_->element);
    }
    return out;
}

merge_shape merge_shape::item() const {
    merge_shape out;
    if (node_ != nullptr) {
        out.node_ = node_->items;
    } else if (type_ != nullptr && type_->kind == model::shape::array) {
        out.type_ = without_optional(type_->element);
        out.atomic_ = is_atomic_type(*out.type_);
    }
    return out;
}

json::value merge_shape::default_of(std::string_view name) const {
    if (node_ != nullptr) {
        auto const* property = node_->items != nullptr ? node_->items->property(name) : nullptr;
        return property != nullptr && property->default_value ? *property->default_value : json::value();
    }
    // The schemas of a server have zero values for fields without `omitempty`. Upstream: kube-openapi
    // `pkg/generators/openapi.go`; the defaults are in client-go `applyconfigurations/internal/internal.go`, v0.31.3.
    if (name == "protocol") return "TCP";
    auto const* type = item().type_;
    auto const* member = is_struct(type) ? type->find(name) : nullptr;
    if (member == nullptr || definition_name(type->type_name).ends_with(".ObjectReference")) return {};
    if (without_optional(member->type)->kind == model::shape::integer) return 0;
    return "";
}

std::optional<std::string> merge_shape::step_to(json::value const& item) const {
    if (list_kind() == list::set) return "v:" + json::serialize(item);
    auto const* object = item.if_object();
    if (object == nullptr) return std::nullopt;
    auto names = keys();
    std::ranges::sort(names);
    json::object values;
    for (auto const name : names) {
        auto const* given = object->if_contains(key(name));
        auto value = given != nullptr && !given->is_null() ? *given : default_of(name);
        if (value.is_null()) return std::nullopt;
        values[key(name)] = std::move(value);
    }
    return "k:" + json::serialize(values);
}

std::string merge_shape::item_fault(json::value const& item) const {
    if (list_kind() == list::set) {
        if (item.is_object()) return "associative list without keys has an element that's a map type";
        if (item.is_array()) return "not supported: associative list with lists as elements";
        return item.is_null() ? "associative list without keys has an element that's an explicit null" : "";
    }
    if (item.is_null()) return "associative list with keys may not have a null element";
    if (!item.is_object()) return "associative list with keys may not have non-map elements";
    for (auto const name : keys()) {
        auto const* given = item.get_object().if_contains(key(name));
        if (given != nullptr && given->is_structured()) return "expected a scalar in key field " + in_quotes(name);
        if ((given == nullptr || given->is_null()) && default_of(name).is_null())
            return "associative list with keys has an element that omits key field " + in_quotes(name) +
                   " (and doesn't have default value)";
    }
    return {};
}

} // namespace kftrain::apiserver
