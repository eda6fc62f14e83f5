
#include "apiserver/definitions/crd_pattern.hpp"
#include "apiserver/definitions/crd_schema.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>

namespace kftrain::apiserver {
namespace crd_schemas {
namespace {

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

} // namespace
} // namespace crd_schemas

void check_crd_schema(json::value const& schema, bool has_status, std::string const& path, field_faults& found) {
    using namespace crd_schemas;
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
    check_open_api(schema, path, true, found);
}

} // namespace kftrain::apiserver
