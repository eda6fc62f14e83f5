#include "apiserver/definitions/crd_schema.hpp"

#include "apiserver/json/json_access.hpp"
#include "base/is_one_of.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <re2/re2.h>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace kftrain::apiserver {
namespace {

using path_text = std::string;

json::value const* find(json::object const& o, std::string_view name) { return o.if_contains(key(name)); }
std::string_view view_of(json::string_view s) noexcept { return {s.data(), s.size()}; }

/// Visits the named subschemas of `properties` and the like.
template <class F> void each_named(json::object const& schema, std::string_view keyword, path_text const& path, F f) {
    if (auto const* map = object_in(schema, keyword))
        for (auto const& [name, sub] : *map)
            f(sub, path + "." + std::string(keyword) + "[" + std::string(name) + "]", view_of(name));
}

template <class F> void each_of(json::object const& schema, std::string_view keyword, path_text const& path, F f) {
    if (auto const* list = array_in(schema, keyword))
        for (std::size_t i = 0; i < list->size(); ++i)
            f((*list)[i], path + "." + std::string(keyword) + "[" + std::to_string(i) + "]", i);
}

/// The keywords whose subschemas restrict values.
constexpr std::array<std::string_view, 4> junctors{"allOf", "anyOf", "oneOf", "not"};

constexpr std::array<std::string_view, 6> types{"array", "boolean", "integer", "number", "object", "string"};
constexpr std::array<std::string_view, 3> list_types{"atomic", "set", "map"};
constexpr std::array<std::string_view, 2> map_types{"atomic", "granular"};

std::string joined_names(json::array const& names) { // as Go prints a list of strings
    std::string out = "[]string{";
    for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : ", ") + json::serialize(names[i]);
    return out + "}";
}

/// The rules that hold for every schema, below junctors too.
class open_api_checker {
public:
    explicit open_api_checker(field_faults& found) : faults_(found) {}

    void check(json::value const& v, path_text const& path, bool root) {
        auto const* const schema = v.if_object();
        if (schema == nullptr) return;
        auto const& s = *schema;
        auto const type = text_in(s, "type");
        if (!type.empty() && !is_one_of(type, types)) faults_.unsupported(path + ".type", type, types);
        for (auto const* keyword :
             {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"})
            if (find(s, keyword) != nullptr)
                faults_.forbidden(path + "." + keyword, std::string(keyword) + " is not supported");
        if (type == "null")
            faults_.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative");
        if (auto const* items = find(s, "items"); items != nullptr && items->is_array())
            faults_.forbidden(path + ".items", "items must be a schema object and not an array");
        if (true_in(s, "uniqueItems"))
            faults_.forbidden(path + ".uniqueItems",
                              "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        auto const* properties = object_in(s, "properties");
        auto const* more = find(s, "additionalProperties");
        if (more != nullptr && properties != nullptr && !properties->empty() && *more != true)
            faults_.forbidden(path + ".additionalProperties",
                              "additionalProperties and properties are mutual exclusive");
        if (more != nullptr) check(*more, path + ".additionalProperties", false);
        each_named(s, "properties", path, [&](json::value const& sub, path_text const& at, std::string_view name) {
            auto const* o = sub.if_object();
            bool const of_meta = root && (name == "metadata" || name == "kind" || name == "apiVersion");
            if (of_meta && o != nullptr && find(*o, "default") != nullptr)
                faults_.forbidden(at + ".default", "must not be set in top-level " + std::string(name));
            check(sub, at, false);
        });
        for (auto const junctor : junctors) {
            each_of(s, junctor, path,
                    [&](json::value const& sub, path_text const& at, std::size_t) { check(sub, at, false); });
            if (auto const* sub = object_in(s, junctor)) check(*sub, path + "." + std::string(junctor), false);
        }
        if (auto const* items = object_in(s, "items")) check(*items, path + ".items", false);
        check_kinds(s, type, path);
        check_keys(s, path);
        check_rules(s, path);
    }

private:
    void wrong_type(std::string_view type, path_text const& path, std::string_view why) {
        if (type.empty())
            faults_.required(path + ".type", why);
        else
            faults_.invalid_text(path + ".type", type, why);
    }

    void check_kinds(json::object const& s, std::string_view type, path_text const& path) {
        if (auto const* keeps = find(s, "x-kubernetes-preserve-unknown-fields"); keeps != nullptr && *keeps == false)
            faults_.invalid(path + ".x-kubernetes-preserve-unknown-fields", std::string_view("false"),
                            "must be true or undefined");
        auto const map = text_in(s, "x-kubernetes-map-type"), list = text_in(s, "x-kubernetes-list-type");
        if (!map.empty() && type != "object")
            wrong_type(type, path, "must be object if x-kubernetes-map-type is specified");
        if (!map.empty() && !is_one_of(map, map_types))
            faults_.unsupported(path + ".x-kubernetes-map-type", map, map_types);
        auto const* items = object_in(s, "items");
        auto const item_type = items != nullptr ? text_in(*items, "type") : std::string_view();
        if (!list.empty() && type != "array") {
            wrong_type(type, path, "must be array if x-kubernetes-list-type is specified");
        } else if (list == "set" && items != nullptr) {
            constexpr std::string_view why = "must be atomic as item of a list with x-kubernetes-list-type=set";
            auto const of_list = text_in(*items, "x-kubernetes-list-type");
            if (item_type == "array" && !of_list.empty() && of_list != "atomic")
                faults_.invalid_text(path + ".items.x-kubernetes-list-type", of_list, why);
            if (item_type == "object" && text_in(*items, "x-kubernetes-map-type") != "atomic")
                faults_.invalid(path + ".items.x-kubernetes-map-type", std::string_view("null"), why);
        }
        if ((list == "set" || list == "map") && items != nullptr && true_in(*items, "nullable"))
            faults_.forbidden(path + ".items.nullable",
                              "cannot be nullable when x-kubernetes-list-type is " + std::string(list));
        if (!list.empty() && !is_one_of(list, list_types))
            faults_.unsupported(path + ".x-kubernetes-list-type", list, list_types);
    }

    void check_keys(json::object const& s, path_text const& path) {
        auto const list = text_in(s, "x-kubernetes-list-type");
        auto const* keys = array_in(s, "x-kubernetes-list-map-keys");
        bool const has_keys = keys != nullptr && !keys->empty();
        if (has_keys && list.empty())
            faults_.required(path + ".x-kubernetes-list-type",
                             "must be map if x-kubernetes-list-map-keys is non-empty");
        else if (has_keys && list != "map")
            faults_.invalid_text(path + ".x-kubernetes-list-type", list,
                                 "must be map if x-kubernetes-list-map-keys is non-empty");
        if (list != "map") return;
        if (!has_keys)
            faults_.required(path + ".x-kubernetes-list-map-keys",
                             "must not be empty if x-kubernetes-list-type is map");
        auto const* items = object_in(s, "items");
        if (items == nullptr) {
            faults_.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
            return;
        }
        if (auto const type = text_in(*items, "type"); type != "object") {
            faults_.invalid_text(path + ".items.type", type,
                                 "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        if (has_keys) check_key_properties(*items, *keys, path);
    }

    void check_key_properties(json::object const& items, json::array const& keys, path_text const& path) {
        auto const* properties = object_in(items, "properties");
        auto const* required = array_in(items, "required");
        std::set<std::string_view> seen;
        for (auto const& k : keys) {
            auto const* text = k.if_string();
            auto const name = text != nullptr ? view(*text) : std::string_view();
            auto const* property = properties != nullptr ? object_in(*properties, name) : nullptr;
            auto const at = path + ".items.properties[" + std::string(name) + "]";
            if (property != nullptr && true_in(*property, "nullable"))
                faults_.forbidden(at + ".nullable",
                                  "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            if (property == nullptr) {
                faults_.invalid(path + ".x-kubernetes-list-map-keys", joined_names(keys),
                                "entries must all be names of item properties");
            } else {
                auto const type = text_in(*property, "type");
                if (type == "array" || type == "object")
                    faults_.invalid_text(at + ".type", type,
                                         "must be a scalar type if parent array's x-kubernetes-list-type is map");
                bool const given = required != nullptr && std::ranges::find(*required, k) != required->end();
                if (!given && find(*property, "default") == nullptr)
                    faults_.required(at + ".default",
                                     "this property is in x-kubernetes-list-map-keys, so it must have a default or be "
                                     "a required property");
            }
            if (!seen.insert(name).second)
                faults_.invalid(path + ".x-kubernetes-list-map-keys", joined_names(keys),
                                "must not contain duplicate entries");
        }
    }

    void check_rules(json::object const& s, path_text const& path) {
        each_of(s, "x-kubernetes-validations", path, [&](json::value const& v, path_text const& at, std::size_t) {
            auto const* rule = v.if_object();
            if (rule == nullptr || text_in(*rule, "rule").find_first_not_of(" \t\n") == std::string_view::npos)
                faults_.required(at + ".rule", "rule is not specified");
        });
    }

    field_faults& faults_;
};

/// `anyOf: [{type: integer}, {type: string}]`, which schemas of integers or strings may have.
bool is_int_or_string(json::object const& schema) {
    static json::value const wanted = json::array{json::object{{"type", "integer"}}, json::object{{"type", "string"}}};
    auto const* list = find(schema, "anyOf");
    return list != nullptr && *list == wanted;
}

bool starts_with_int_or_string(json::object const& schema) {
    auto const* list = array_in(schema, "allOf");
    if (list == nullptr || list->empty()) return false;
    auto const* first = list->front().if_object();
    return first != nullptr && is_int_or_string(*first);
}

class structural_checker {
public:
    enum class level { root, item, field };

    void check(json::value const& v, level where, path_text const& path) {
        auto const* const schema = as_schema(v, path);
        if (schema == nullptr) return;
        auto const& s = *schema;
        auto const type = text_in(s, "type");
        bool const embedded = true_in(s, "x-kubernetes-embedded-resource");
        bool const int_or_string = true_in(s, "x-kubernetes-int-or-string");
        bool const preserves = true_in(s, "x-kubernetes-preserve-unknown-fields");
        auto const* items = find(s, "items");
        if (type == "array" && items == nullptr) faults.required(path + ".items", "must be specified");
        if (items != nullptr && !items->is_array()) check(*items, level::item, path + ".items");
        each_named(s, "properties", path, [&](json::value const& sub, path_text const& at, std::string_view name) {
            // At the root the names of an object may be restricted, and nothing else of its metadata.
            if (where == level::root && name == "metadata") return check_metadata(sub, at);
            check(sub, level::field, at);
        });
        if (auto const* more = find(s, "additionalProperties")) {
            if (where == level::root) faults.forbidden(path + ".additionalProperties", "must not be used at the root");
            if (more->is_object()) check(*more, level::field, path + ".additionalProperties");
            if (embedded)
                faults.forbidden(path + ".additionalProperties",
                                 "must not be used if x-kubernetes-embedded-resource is set");
        }
        if (int_or_string && preserves)
            faults.invalid(path + ".x-kubernetes-preserve-unknown-fields", std::string_view("true"),
                           "must be false if x-kubernetes-int-or-string is true");
        if (int_or_string && embedded)
            faults.invalid(path + ".x-kubernetes-embedded-resource", std::string_view("true"),
                           "must be false if x-kubernetes-int-or-string is true");
        check_values(s, is_int_or_string(s), starts_with_int_or_string(s), path);
        check_type(type, where, embedded, int_or_string || preserves, path);
        if (embedded && !preserves && object_in(s, "properties") == nullptr)
            faults.required(path + ".properties", "must not be empty if x-kubernetes-embedded-resource is true without "
                                                  "x-kubernetes-preserve-unknown-fields");
        for (auto const* name : {"kind", "apiVersion"})
            if (where == level::root || embedded) check_type_meta(s, name, path);
        if (where == level::root) complete_values(s, &s, path, path);
    }

    field_faults faults;

private:
    json::object const* as_schema(json::value const& v, path_text const& path) {
        auto const* const schema = v.if_object();
        if (schema == nullptr) faults.invalid(path, json::serialize(v), "must be a schema");
        return schema;
    }

    void check_type(std::string_view type, level where, bool embedded, bool may_lack, path_text const& path) {
        if (embedded && type != "object") {
            if (type.empty())
                faults.required(path + ".type", "must be object if x-kubernetes-embedded-resource is true");
            else
                faults.invalid_text(path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
        } else if (type.empty() && !may_lack) {
            faults.required(path + ".type", where == level::root   ? "must not be empty at the root"
                                            : where == level::item ? "must not be empty for specified array items"
                                                                   : "must not be empty for specified object fields");
        }
        if (where == level::root && !type.empty() && type != "object")
            faults.invalid_text(path + ".type", type, "must be object at the root");
    }

    void check_type_meta(json::object const& s, std::string_view name, path_text const& path) {
        auto const* properties = object_in(s, "properties");
        auto const* sub = properties != nullptr ? object_in(*properties, name) : nullptr;
        if (sub != nullptr && text_in(*sub, "type") != "string")
            faults.invalid_text(path + ".properties[" + std::string(name) + "].type", text_in(*sub, "type"),
                                "must be string");
    }

    void check_metadata(json::value const& v, path_text const& path) {
        auto const* const s = as_schema(v, path);
        if (s == nullptr) return;
        if (text_in(*s, "type") != "object") faults.invalid_text(path + ".type", text_in(*s, "type"), "must be object");
        bool more = false;
        for (auto const& [keyword, value] : *s) {
            if (keyword == "type" || keyword == "default" || keyword == "description") continue;
            auto const* names = value.if_object();
            bool const restricts =
                keyword == "properties" && names != nullptr && std::ranges::all_of(*names, [](auto const& m) {
                    return m.key() == "name" || m.key() == "generateName";
                });
            more = more || !restricts;
        }
        if (more)
            faults.forbidden(path, "must not specify anything other than name and generateName, but metadata is "
                                   "implicitly specified");
        each_named(*s, "properties", path, [&](json::value const& sub, path_text const& at, std::string_view) {
            check(sub, level::field, at);
        });
    }

    void check_values(json::object const& s, bool skip_any_of, bool skip_first_any_of, path_text const& path) {
        if (!skip_any_of)
            each_of(s, "anyOf", path, [&](json::value const& v, path_text const& at, std::size_t) { nested(v, at); });
        each_of(s, "allOf", path, [&](json::value const& v, path_text const& at, std::size_t i) {
            nested(v, at, skip_first_any_of && i == 0);
        });
        each_of(s, "oneOf", path, [&](json::value const& v, path_text const& at, std::size_t) { nested(v, at); });
        if (auto const* v = find(s, "not")) nested(*v, path + ".not");
        if (auto const text = text_in(s, "pattern"); !text.empty()) check_pattern(text, path + ".pattern");
    }

    /// A schema below a junctor: it may restrict values, and define nothing.
    void nested(json::value const& v, path_text const& path, bool skip_any_of = false) {
        auto const* const schema = as_schema(v, path);
        if (schema == nullptr) return;
        auto const& s = *schema;
        check_values(s, skip_any_of, false, path);
        if (auto const* items = find(s, "items")) nested(*items, path + ".items");
        each_named(s, "properties", path, [&](json::value const& sub, path_text const& at, std::string_view name) {
            nested(sub, at);
            if (name == "metadata") faults.forbidden(at, "must not be specified in a nested context");
        });
        struct keyword {
            std::string_view name, why;
        };
        constexpr std::array<keyword, 12> forbidden{
            {{"type", "must be empty to be structural"},
             {"additionalProperties", "must be undefined to be structural"},
             {"default", "must be undefined to be structural"},
             {"title", "must be empty to be structural"},
             {"description", "must be empty to be structural"},
             {"nullable", "must be false to be structural"},
             {"x-kubernetes-preserve-unknown-fields", "must be false to be structural"},
             {"x-kubernetes-embedded-resource", "must be false to be structural"},
             {"x-kubernetes-int-or-string", "must be false to be structural"},
             {"x-kubernetes-list-map-keys", "must be empty to be structural"},
             {"x-kubernetes-list-type", "must be undefined to be structural"},
             {"x-kubernetes-map-type", "must be undefined to be structural"}}};
        for (auto const& w : forbidden)
            if (auto const* given = find(s, w.name); given != nullptr && *given != false && *given != "")
                faults.forbidden(path + "." + std::string(w.name), w.why);
        if (auto const* rules = array_in(s, "x-kubernetes-validations"); rules != nullptr && !rules->empty())
            faults.forbidden(path + ".x-kubernetes-validations", "must be empty to be structural");
    }

    /** Every field that a junctor restricts must be defined outside of it.
        @param s The schema outside; null if there is none at `defined` */
    void complete_values(json::object const& v, json::object const* s, path_text const& defined,
                         path_text const& path) {
        for (auto const junctor : junctors) {
            each_of(v, junctor, path,
                    [&](json::value const& sub, path_text const& at, std::size_t) { complete(sub, s, defined, at); });
            if (auto const* sub = object_in(v, junctor)) complete(*sub, s, defined, path + "." + std::string(junctor));
        }
    }
    void complete(json::value const& v, json::object const* s, path_text const& defined, path_text const& path) {
        auto const* const schema = v.if_object();
        if (schema == nullptr) return;
        if (s == nullptr) return faults.required(defined, "because it is defined in " + path);
        complete_values(*schema, s, defined, path);
        if (auto const* items = object_in(*schema, "items"))
            complete(*items, object_in(*s, "items"), defined + ".items", path + ".items");
        auto const* properties = object_in(*s, "properties");
        each_named(*schema, "properties", "", [&](json::value const& sub, path_text const& at, std::string_view name) {
            complete(sub, properties != nullptr ? object_in(*properties, name) : nullptr, defined + at, path + at);
        });
    }

    /// The memory of each expression is bounded, and so is their number.
    void check_pattern(std::string_view text, path_text const& path) {
        if (++patterns_ > max_patterns)
            return faults.invalid_text(
                path, text, "this server accepts at most " + std::to_string(max_patterns) + " patterns in a schema");
        if (auto const compiled = compile_pattern(text); !compiled)
            faults.invalid_text(path, text,
                                "must be a valid regular expression, but isn't: " + compiled.error().detail.message);
    }

    static constexpr std::size_t max_patterns = 1000;
    std::size_t patterns_ = 0;
};

/// The keywords that the root of a schema may have beside a subresource `status`: what is checked of the status alone
/// must not be lost.
constexpr std::string_view root_keywords =
    "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength "
    "pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example "
    "x-kubernetes-preserve-unknown-fields x-kubernetes-validations";

constexpr std::int64_t max_memory = 1 << 18; // of a compiled expression and of its matches

re2::StringPiece piece(std::string_view s) { return {s.data(), s.size()}; }

} // namespace

void check_crd_schema(json::value const& schema, bool has_status, std::string const& path, field_faults& found) {
    auto const* const root = schema.if_object();
    if (root != nullptr && has_status) {
        if (auto const type = text_in(*root, "type"); !type.empty() && type != "object")
            found.invalid_text(path + ".type", type,
                               "only \"object\" is allowed as the type at the root of the schema if the status "
                               "subresource is enabled");
        for (auto const& [keyword, value] : *root)
            if (!is_word_of(root_keywords, {keyword.data(), keyword.size()})) {
                found.forbidden(path + "." + std::string(keyword),
                                "must not be at the root of the schema if the status subresource is enabled");
                break;
            }
    }
    if (root != nullptr && true_in(*root, "nullable"))
        found.forbidden(path + ".nullable", "nullable cannot be true at the root");
    structural_checker structural;
    structural.check(schema, structural_checker::level::root, path);
    auto faults = structural.faults.take();
    std::ranges::sort(faults, {}, [](schema_violation const& v) { return v.text(); });
    found.append(std::move(faults));
    open_api_checker(found).check(schema, path, true);
}

result<text_predicate> compile_pattern(std::string_view text) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    auto const compiled = std::make_shared<re2::RE2 const>(piece(text), options);
    if (!compiled->ok()) {
        failure why(errc::invalid_argument, {});
        why.detail.message = compiled->error();
        return why;
    }
    return text_predicate([compiled](std::string_view s) { return re2::RE2::PartialMatch(piece(s), *compiled); });
}

} // namespace kftrain::apiserver
