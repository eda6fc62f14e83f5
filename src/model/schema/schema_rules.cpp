#include "model/json/go_text.hpp"
#include "model/schema/schema_items.hpp"

#include <algorithm>
#include <set>

namespace kftrain {
namespace {

namespace json = boost::json;

using violations = std::vector<schema_violation>;

/// `spec` + `.` + `replicas`; the root has no name.
std::string child(std::string const& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}
std::string element(std::string const& path, std::string_view index) { return path + "[" + std::string(index) + "]"; }

/** Walks over the members of an object that have a schema: first those of maps, then properties; by name.
    @param f Called with the subschema, the member, and its path. */
template <class F> void members(schema_node const& n, json::object const& o, std::string const& path, F f) {
    if (n.additional != nullptr)
        for (auto const* m : by_name(o))
            if (n.property(text_of(m->key())) == nullptr) f(*n.additional, *m, element(path, text_of(m->key())));
    for (auto const& [name, sub] : n.properties)
        if (auto const at = o.find(name); at != o.end()) f(*sub, *at, child(path, name));
}

void unique(schema_node const& n, json::array const& list, std::string const& path, violations& out) {
    if (n.list_type == "map")
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!list[i].is_object() && !list[i].is_null()) {
                out.emplace_back("FieldValueInvalid", element(path, std::to_string(i)),
                                 "Invalid value: " + go_text::syntax(list[i]) +
                                     ": must be an object for an array of list-type map");
                return;
            }
    // Each duplicate value is reported once, at its second place.
    std::set<std::string> seen, reported;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto text = go_text::syntax(identity_of(n, list[i]));
        if (seen.insert(text).second || !reported.insert(text).second) continue;
        out.emplace_back("FieldValueDuplicate", element(path, std::to_string(i)), "Duplicate value: " + text);
    }
}

void lists(schema_node const& n, json::value const& v, std::string const& path, violations& out) {
    if (auto const* list = v.if_array()) {
        if (n.list_type == "set" || n.list_type == "map") unique(n, *list, path, out);
        if (n.items != nullptr)
            for (std::size_t i = 0; i < list->size(); ++i)
                lists(*n.items, (*list)[i], element(path, std::to_string(i)), out);
    } else if (auto const* o = v.if_object()) {
        members(n, *o, path, [&](schema_node const& sub, json::key_value_pair const& m, std::string const& at) {
            lists(sub, m.value(), at, out);
        });
    }
}

bool holds(schema_rule const& rule, json::value const& v, json::value const* old) {
    return rule.holds != nullptr ? rule.holds(v) : old == nullptr || v == *old;
}

/// The value as messages about it begin. Servers since v1.36 leave lists and objects out.
std::string shown(schema_node const& n, json::value const& v, bool shows_values) {
    if (!shows_values) return go_text::quoted(n.type) + ": ";
    return v.is_structured() ? std::string() : go_text::syntax(v) + ": ";
}

void expressions(schema_node const& n, json::value const& v, json::value const* old, std::string const& path,
                 bool shows_values, violations& out) {
    for (auto const& rule : n.rules)
        if (!holds(rule, v, old))
            out.emplace_back("FieldValueInvalid", path.empty() ? "<nil>" : path,
                             "Invalid value: " + shown(n, v, shows_values) + rule.message);
    if (auto const* list = v.if_array(); list != nullptr && n.items != nullptr) {
        old_items const before(n, old);
        for (std::size_t i = 0; i < list->size(); ++i)
            expressions(*n.items, (*list)[i], before.find((*list)[i]), element(path, std::to_string(i)), shows_values,
                        out);
    } else if (auto const* o = v.if_object()) {
        auto const* before = old != nullptr ? old->if_object() : nullptr;
        members(n, *o, path, [&](schema_node const& sub, json::key_value_pair const& m, std::string const& at) {
            expressions(sub, m.value(), before != nullptr ? before->if_contains(m.key()) : nullptr, at, shows_values,
                        out);
        });
    }
}

} // namespace

std::vector<schema_violation> validate_lists(schema_node const& n, json::value const& v) {
    violations out;
    lists(n, v, "", out);
    return out;
}

std::vector<schema_violation> validate_rules(schema_node const& n, json::value const& v, json::value const* old,
                                             bool shows_values) {
    violations out;
    expressions(n, v, old, "", shows_values, out);
    return out;
}

} // namespace kftrain
