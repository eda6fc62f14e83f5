#include "apiserver/openapi/gnostic.hpp"

#include <bit>
#include <cstdint>

namespace kftrain::apiserver {
namespace {

/// A message of Protocol Buffers; members with an empty value are left out, as the encoding wants it.
class message {
public:
    void add_text(unsigned field, std::string_view value) {
        put_varint(field << 3U | 2U);
        put_varint(value.size());
        bytes_ += value;
    }
    void add(unsigned field, message const& value) { add_text(field, value.bytes_); }
    void add_number(unsigned field, std::uint64_t value) {
        put_varint(field << 3U);
        put_varint(value);
    }
    void add_double(unsigned field, double value) {
        put_varint(field << 3U | 1U);
        auto const bits = std::bit_cast<std::uint64_t>(value);
        for (unsigned i = 0; i < 8; ++i) bytes_ += static_cast<char>(bits >> 8U * i & 0xFFU);
    }
    std::string const& bytes() const noexcept { return bytes_; }

private:
    void put_varint(std::uint64_t v) {
        for (; v >= 0x80; v >>= 7U) bytes_ += static_cast<char>((v & 0x7FU) | 0x80U);
        bytes_ += static_cast<char>(v);
    }

    std::string bytes_;
};

enum class form { text, whole, real, truth, any, texts, type, items, values, members };

/// A keyword of a schema and the field that holds it.
struct keyword {
    std::string_view name;
    unsigned field;
    form how;
};
constexpr keyword schema_keywords[] = {{"$ref", 1, form::text},
                                       {"format", 2, form::text},
                                       {"title", 3, form::text},
                                       {"description", 4, form::text},
                                       {"default", 5, form::any},
                                       {"multipleOf", 6, form::real},
                                       {"maximum", 7, form::real},
                                       {"exclusiveMaximum", 8, form::truth},
                                       {"minimum", 9, form::real},
                                       {"exclusiveMinimum", 10, form::truth},
                                       {"maxLength", 11, form::whole},
                                       {"minLength", 12, form::whole},
                                       {"pattern", 13, form::text},
                                       {"maxItems", 14, form::whole},
                                       {"minItems", 15, form::whole},
                                       {"uniqueItems", 16, form::truth},
                                       {"maxProperties", 17, form::whole},
                                       {"minProperties", 18, form::whole},
                                       {"required", 19, form::texts},
                                       {"enum", 20, form::any},
                                       {"additionalProperties", 21, form::values},
                                       {"type", 22, form::type},
                                       {"items", 23, form::items},
                                       {"properties", 25, form::members}};

message any_of(json::value const& v) {
    message out;
    out.add_text(2, json::serialize(v)); // YAML, of which JSON is a part
    return out;
}

template <class Message> message named(std::string_view name, Message const& value) {
    message out;
    out.add_text(1, name);
    out.add(2, value);
    return out;
}

/// Members whose name starts with `x-`.
void add_extensions(message& to, unsigned field, json::object const& from) {
    for (auto const& m : from)
        if (m.key().starts_with("x-")) to.add(field, named(m.key(), any_of(m.value())));
}

message schema_message(json::object const& schema);

void add_keyword(message& to, keyword const& w, json::value const& v) {
    auto const* object = v.if_object();
    auto const* list = v.if_array();
    message inner;
    switch (w.how) {
    case form::text:
        if (auto const* s = v.if_string()) to.add_text(w.field, view(*s));
        break;
    case form::whole:
        if (auto const* i = v.if_int64()) to.add_number(w.field, static_cast<std::uint64_t>(*i));
        break;
    case form::real:
        if (v.is_number()) to.add_double(w.field, v.to_number<double>());
        break;
    case form::truth:
        if (v.is_bool() && v.get_bool()) to.add_number(w.field, 1);
        break;
    case form::any:
        if (w.name != "enum")
            to.add(w.field, any_of(v));
        else if (list != nullptr)
            for (auto const& item : *list) to.add(w.field, any_of(item));
        break;
    case form::texts:
        if (list != nullptr)
            for (auto const& item : *list)
                if (auto const* s = item.if_string()) to.add_text(w.field, view(*s));
        break;
    case form::type:
        if (auto const* s = v.if_string()) {
            inner.add_text(1, view(*s));
            to.add(w.field, inner);
        }
        break;
    case form::items:
        if (object != nullptr) {
            inner.add(1, schema_message(*object));
            to.add(w.field, inner);
        }
        break;
    case form::values:
        if (object != nullptr)
            inner.add(1, schema_message(*object));
        else
            inner.add_number(2, v.is_bool() && v.get_bool() ? 1 : 0);
        to.add(w.field, inner);
        break;
    case form::members:
        if (object == nullptr) break;
        for (auto const& m : *object)
            if (auto const* sub = m.value().if_object()) inner.add(1, named(m.key(), schema_message(*sub)));
        to.add(w.field, inner);
        break;
    }
}

message schema_message(json::object const& schema) {
    message out;
    for (auto const& w : schema_keywords)
        if (auto const* v = schema.if_contains(key(w.name))) add_keyword(out, w, *v);
    add_extensions(out, 31, schema);
    return out;
}

/// A parameter of the query or of the path; the fields of both are the same up to the kind of the parameter.
message parameter_message(json::object const& p) {
    bool const in_path = text_in(p, "in") == "path";
    message parameter, place, wrapped, out;
    if (true_in(p, "required")) parameter.add_number(1, 1);
    parameter.add_text(2, text_in(p, "in"));
    parameter.add_text(4, text_in(p, "name"));
    parameter.add_text(in_path ? 5 : 6, text_in(p, "type"));
    place.add(in_path ? 4 : 3, parameter);
    wrapped.add(2, place);
    out.add(1, wrapped);
    return out;
}

void add_parameters(message& to, unsigned field, json::object const& from) {
    auto const* list = array_in(from, "parameters");
    if (list == nullptr) return;
    for (auto const& p : *list)
        if (auto const* o = p.if_object()) to.add(field, parameter_message(*o));
}

message operation_message(json::object const& operation) {
    message out, responses;
    add_parameters(out, 8, operation);
    if (auto const* all = object_in(operation, "responses"))
        for (auto const& m : *all)
            if (auto const* o = m.value().if_object()) {
                message response, value;
                response.add_text(1, text_in(*o, "description"));
                value.add(1, response);
                responses.add(1, named(m.key(), value));
            }
    out.add(9, responses);
    add_extensions(out, 13, operation);
    return out;
}

message path_message(json::object const& item) {
    constexpr keyword methods[] = {{"get", 2, form::any},
                                   {"put", 3, form::any},
                                   {"post", 4, form::any},
                                   {"delete", 5, form::any},
                                   {"patch", 8, form::any}};
    message out;
    for (auto const& m : methods)
        if (auto const* operation = object_in(item, m.name)) out.add(m.field, operation_message(*operation));
    add_parameters(out, 9, item);
    return out;
}

} // namespace

std::string encode_gnostic(json::object const& document) {
    message out, information, paths, definitions;
    out.add_text(1, text_in(document, "swagger"));
    if (auto const* info = object_in(document, "info")) {
        information.add_text(1, text_in(*info, "title"));
        information.add_text(2, text_in(*info, "version"));
    }
    out.add(2, information);
    if (auto const* all = object_in(document, "paths"))
        for (auto const& m : *all)
            if (auto const* item = m.value().if_object()) paths.add(2, named(m.key(), path_message(*item)));
    out.add(8, paths);
    if (auto const* all = object_in(document, "definitions"))
        for (auto const& m : *all)
            if (auto const* schema = m.value().if_object()) definitions.add(1, named(m.key(), schema_message(*schema)));
    out.add(9, definitions);
    return out.bytes();
}

} // namespace kftrain::apiserver
