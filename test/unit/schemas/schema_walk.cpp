#include "unit/schemas/schema_walk.hpp"

#include <kftrain/objects/coordination/lease.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>
#include <kftrain/objects/core/service.hpp>

#include <algorithm>

namespace schemas {

using kftrain::descriptor_of;
namespace model = kftrain::model;

namespace {

model::descriptor const& without_optional(model::descriptor const& d) {
    return d.kind == model::shape::optional ? without_optional(*d.element) : d;
}

model::descriptor const* field_type(model::descriptor const& d, std::string_view name) {
    return &without_optional(*d.find(name)->type);
}

/// The descriptors of types with a textual form, taken from fields of these types.
struct text_types {
    model::descriptor const* time = field_type(descriptor_of<kftrain::object_meta>(), "creationTimestamp");
    model::descriptor const* micro_time = field_type(descriptor_of<kftrain::coordination::lease_spec>(), "renewTime");
    model::descriptor const* quantity =
        field_type(descriptor_of<kftrain::core::resource_requirements>(), "limits")->element;
    model::descriptor const* int_or_string = field_type(descriptor_of<kftrain::core::service_port>(), "targetPort");
    model::descriptor const* bytes = field_type(descriptor_of<kftrain::core::secret>(), "data")->element;
};

bool is_integer_of(model::descriptor const& d, std::size_t size) {
    return d.kind == model::shape::integer && d.name == (size == 8 ? "int64" : "int32");
}

std::string joined(json::object const& schema, std::string_view word) {
    std::string text;
    if (auto const* list = schema.if_contains(word))
        for (auto const& item : list->as_array()) text += (text.empty() ? "" : ",") + std::string(item.as_string());
    return text;
}

/// Types that can be empty without being absent. For the others, empty and absent are the same.
bool can_be_empty(model::descriptor const& d) {
    return d.kind != model::shape::optional && d.kind != model::shape::array && d.kind != model::shape::map;
}

bool is_required(json::object const& schema, std::string_view name) {
    auto const* required = schema.if_contains("required");
    return required != nullptr &&
           std::ranges::any_of(required->as_array(), [&](json::value const& v) { return v.as_string() == name; });
}

std::string expectation(place const& at) {
    auto text = std::string(text_at(*at.schema, "type"));
    if (auto const format = text_at(*at.schema, "format"); !format.empty())
        text.append(" (").append(format).append(")");
    if (at.schema->contains("x-kubernetes-int-or-string")) text = "int-or-string";
    if (!at.name.empty()) text.append(" of ").append(at.name);
    return text;
}

} // namespace

walk::walk(library& files) : files_(files) {}

void walk::fault(std::string what) {
    if (failed_ == path_) return;
    failed_ = path_;
    faults.push_back(path_ + ": " + std::move(what));
}

void walk::properties_of(std::string path, place at, model::descriptor const& type) {
    path_ = std::move(path);
    at = files_.resolve(at);
    strategic_ = at.name.starts_with("io.k8s.");
    properties(at, type);
}

void walk::properties(place at, model::descriptor const& type) {
    auto& seen = types_[&type];
    if (seen.path.empty()) seen.path = path_;
    std::string const here = path_;
    for (auto const& [name, schema] : *object_at(*at.schema, "properties")) {
        bool const header = type.info != nullptr && (name == "apiVersion" || name == "kind");
        path_.append(".").append(name);
        if (is_left_out()) {
            path_ = here;
            continue;
        }
        ++in_schemas;
        place inner;
        inner.schema = &schema.as_object();
        inner.file = at.file;
        if (auto const* f = type.find(name)) {
            seen.properties.insert(f->name);
            failed_.clear();
            if (!f->always && can_be_empty(*f->type) && is_required(*at.schema, name))
                fault("required, but left out when it is empty");
            merging(*inner.schema, *f);
            value(inner, *f->type);
            if (failed_ != path_) ++typed;
        } else if (header) {
            ++typed;
        } else {
            failed_.clear();
            fault("no field");
            untyped(inner);
        }
        path_ = here;
    }
}

bool walk::is_left_out() {
    for (auto& [end, found] : left_out)
        if (path_.ends_with(end)) return found = true;
    return false;
}

/// Checks how lists merge. Schemas of CustomResourceDefinitions have no strategic merge patches.
void walk::merging(json::object const& schema, kftrain::model::field const& f) {
    auto const strategy = text_at(schema, "x-kubernetes-patch-strategy");
    if (strategic_ && f.type->kind == model::shape::array) {
        auto key = std::string(text_at(schema, "x-kubernetes-patch-merge-key"));
        if (key.empty() && strategy.find("merge") != std::string_view::npos) key = "*";
        if (key != f.merge_key) fault("merges by \"" + key + "\", not by \"" + std::string(f.merge_key) + "\"");
    }
    if (strategic_ && f.retain_keys != (strategy.find("retainKeys") != std::string_view::npos))
        fault("retainKeys differs");
    auto keys = joined(schema, "x-kubernetes-list-map-keys");
    if (keys.empty() && text_at(schema, "x-kubernetes-list-type") == "set") keys = "*";
    auto const known = f.list_keys.empty() ? f.merge_key : f.list_keys;
    if (!keys.empty() && keys != known) fault("the keys of items are " + keys + ", not " + std::string(known));
}

void walk::element(place const& of, json::object const* schema, std::string_view mark, model::descriptor const& type) {
    place at;
    at.schema = schema;
    at.file = of.file;
    std::size_t const before = path_.size();
    path_ += mark;
    value(at, *type.element);
    bool const failed = failed_ == path_;
    path_.resize(before);
    if (failed) failed_ = path_;
}

void walk::value(place at, model::descriptor const& with_optional) {
    auto const& type = without_optional(with_optional);
    at = files_.resolve(at);
    auto const& schema = *at.schema;
    auto const kind = text_at(schema, "type");
    if (auto const* inner = object_at(schema, "items"); kind == "array" && inner != nullptr) {
        if (type.kind != model::shape::array) return fault("no list");
        element(at, inner, "[]", type);
    } else if (object_at(schema, "properties") != nullptr) {
        if (type.kind != model::shape::object) {
            fault("no struct");
            return untyped(at);
        }
        auto const failed = std::exchange(failed_, std::string());
        properties(at, type);
        failed_ = failed;
    } else if (auto const* values = object_at(schema, "additionalProperties")) {
        if (type.kind != model::shape::map) return fault("no map");
        element(at, values, "{}", type);
    } else if (!scalar_fits(at, type)) {
        fault("expected " + expectation(at) + ", the field is " + std::string(type.name));
    }
}

bool walk::scalar_fits(place const& at, model::descriptor const& type) const {
    static text_types const types;
    auto const& schema = *at.schema;
    auto const kind = text_at(schema, "type");
    auto const format = text_at(schema, "format");
    if (schema.contains("x-kubernetes-preserve-unknown-fields")) // a struct that another schema describes fits
        return type.kind == model::shape::raw || (kind == "object" && types_.contains(&type));
    if (schema.contains("x-kubernetes-int-or-string"))
        return &type == (schema.contains("pattern") ? types.quantity : types.int_or_string);
    bool const is_empty = type.kind == model::shape::object && type.fields.empty(); // only its presence matters
    if (kind == "object") // a CustomResourceDefinition leaves out the fields of metadata
        return is_empty || type.kind == model::shape::raw || &type == &descriptor_of<kftrain::object_meta>();
    if (kind == "boolean") return type.kind == model::shape::boolean;
    if (kind == "number") return type.kind == model::shape::number;
    if (kind == "integer") return format == "int64" || format.empty() ? is_integer_of(type, 8) : is_integer_of(type, 4);
    if (kind != "string") return false;
    if (at.name.ends_with(".Quantity")) return &type == types.quantity;
    if (at.name.ends_with(".MicroTime")) return &type == types.micro_time;
    if (format == "date-time") return &type == types.time;
    if (format == "int-or-string") return &type == types.int_or_string;
    if (format == "byte") return &type == types.bytes;
    // The schema declares durations as plain strings.
    return format.empty() && (type.kind == model::shape::string || type.name == "duration");
}

void walk::untyped(place at) {
    at = files_.resolve(at);
    if (auto const* members = object_at(*at.schema, "properties"))
        for (auto const& member : *members) {
            ++in_schemas;
            place inner;
            inner.schema = &member.value().as_object();
            inner.file = at.file;
            untyped(inner);
        }
    for (std::string_view const word : {"items", "additionalProperties"})
        if (auto const* inner = object_at(*at.schema, word)) {
            place next;
            next.schema = inner;
            next.file = at.file;
            untyped(next);
        }
}

std::vector<std::string> walk::fields_without_schema() const {
    std::vector<std::string> found;
    for (auto const& [type, seen] : types_)
        for (auto const& f : type->fields)
            if (!seen.properties.contains(f.name)) found.push_back(seen.path + "." + std::string(f.name));
    return found;
}

} // namespace schemas
