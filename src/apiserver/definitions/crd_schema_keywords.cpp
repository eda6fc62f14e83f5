#include "apiserver/definitions/crd_schema.hpp"

#include <set>

namespace kftrain::apiserver::crd_schemas {
namespace {

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

} // namespace

void check_open_api(json::value const& schema, std::string const& path, bool root, field_faults& found) {
    open_api_checker(found).check(schema, path, root);
}

} // namespace kftrain::apiserver::crd_schemas
