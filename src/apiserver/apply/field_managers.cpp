#include "apiserver/apply/field_managers.hpp"

#include "apiserver/refusals/refusals.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace kftrain::apiserver {
namespace {

/// The conflicts of an apply request. Upstream: apimachinery `pkg/util/managedfields/internal/conflict.go`.
refusal apply_conflict(std::map<std::string, field_set> const& fields_by_manager) {
    std::vector<refusal_cause> conflicts;
    std::string list, only;
    for (auto const& [manager, fields] : fields_by_manager) {
        list += (list.empty() ? "conflicts with " : "\nconflicts with ") + manager + ":";
        fields.visit([&](std::vector<std::string> const& path) {
            auto const where = print_path(path);
            list += "\n- " + where;
            only = "conflict with " + manager + ": " + where;
            conflicts.emplace_back("FieldManagerConflict", "conflict with " + manager, where);
        });
    }
    refusal r(409, reason::conflict,
              conflicts.size() == 1 ? "Apply failed with 1 conflict: " + only
                                    : "Apply failed with " + std::to_string(conflicts.size()) + " conflicts: " + list);
    r.causes = std::move(conflicts);
    return r;
}

} // namespace

bool field_manager::is(field_manager const& other) const noexcept {
    return name == other.name && operation == other.operation && subresource == other.subresource &&
           (applies() || api_version == other.api_version);
}

std::string field_manager::text() const {
    auto out = in_quotes(name);
    if (!subresource.empty()) out += " with subresource " + in_quotes(subresource);
    if (!applies()) out += " using " + api_version;
    return out;
}

void strip_fields(field_set& fields, resource_definition const& d, std::string_view subresource) {
    using path = std::vector<std::string_view>;
    for (auto const& p :
         {path{"f:apiVersion"}, path{"f:kind"}, path{"f:metadata", "f:name"}, path{"f:metadata", "f:namespace"},
          path{"f:metadata", "f:creationTimestamp"}, path{"f:metadata", "f:selfLink"}, path{"f:metadata", "f:uid"},
          path{"f:metadata", "f:generation"}, path{"f:metadata", "f:managedFields"},
          path{"f:metadata", "f:resourceVersion"}})
        fields.erase(p);
    if (auto const meta = fields.below.find("f:metadata"); meta != fields.below.end()) meta->second.member = false;
    if (!d.has_status) return;
    if (subresource != "status")
        fields.erase(path{"f:status"});
    else
        std::erase_if(fields.below, [](auto const& entry) { return entry.first != "f:status"; });
}

field_managers::field_managers(json::object const& object) {
    auto const* list = array_in(metadata_of(object), "managedFields");
    if (list == nullptr) return;
    for (auto const& v : *list) {
        auto const* entry = v.if_object();
        if (entry == nullptr) continue;
        auto& m = managers_.emplace_back();
        for (auto [member, to] : {std::pair{"manager", &m.name},
                                  {"operation", &m.operation},
                                  {"apiVersion", &m.api_version},
                                  {"time", &m.time},
                                  {"subresource", &m.subresource}})
            *to = text_in(*entry, member);
        if (auto const* fields = object_in(*entry, "fieldsV1")) m.fields = field_set::from_json(*fields);
    }
}

json::array field_managers::to_json() const {
    std::vector<field_manager const*> sorted;
    for (auto const& m : managers_) sorted.push_back(&m);
    std::ranges::sort(sorted, {}, [](auto const* m) {
        return std::tie(m->operation, m->time, m->name, m->api_version, m->subresource);
    });
    json::array out;
    for (auto const* m : sorted) {
        json::object entry;
        entry["manager"] = m->name;
        entry["operation"] = m->operation;
        entry["apiVersion"] = m->api_version;
        if (!m->time.empty()) entry["time"] = m->time;
        entry["fieldsType"] = "FieldsV1";
        entry["fieldsV1"] = m->fields.to_json();
        if (!m->subresource.empty()) entry["subresource"] = m->subresource;
        out.push_back(std::move(entry));
    }
    return out;
}

field_manager* field_managers::find(field_manager const& wanted) {
    auto const at = std::ranges::find_if(managers_, [&](auto const& m) { return m.is(wanted); });
    return at != managers_.end() ? &*at : nullptr;
}

/// Takes changed fields from all managers but the one that changed them.
void field_managers::take(field_changes const& changes, field_manager const& by) {
    for (auto& m : managers_) {
        if (m.is(by)) continue;
        for (auto const* changed : {&changes.modified, &changes.added, &changes.removed})
            m.fields = subtract(m.fields, *changed);
    }
    std::erase_if(managers_, [&](auto const& m) { return m.fields.empty() && !m.is(by); });
}

void field_managers::strip(resource_definition const& d) {
    for (auto& m : managers_) strip_fields(m.fields, d, m.subresource);
    std::erase_if(managers_, [](auto const& m) { return m.fields.empty(); });
}

void field_managers::update(json::object const& before, json::object const& after, merge_shape const& shape,
                            field_manager by) {
    auto changes = compare_fields(before, after, shape);
    for (auto* fields : {&changes.added, &changes.modified, &changes.removed})
        for (std::string_view const internal : {"f:managedFields", "f:resourceVersion", "f:generation"})
            fields->erase(std::array<std::string_view, 2>{"f:metadata", internal});
    take(changes, by);
    auto* known = find(by);
    by.fields =
        unite(unite(subtract(known != nullptr ? known->fields : field_set(), changes.removed), changes.modified),
              changes.added);
    if (known == nullptr && !by.fields.empty()) {
        managers_.push_back(std::move(by));
    } else if (known != nullptr && known->fields != by.fields) {
        *known = std::move(by);
    }
    std::erase_if(managers_, [](auto const& m) { return m.fields.empty(); });
}

/// Removes the fields that the manager applied before and that no manager has now.
json::object field_managers::prune(json::object const& merged, merge_shape const& shape, field_set const& last) const {
    if (last.empty()) return merged;
    field_set managed;
    for (auto const& m : managers_) managed = unite(std::move(managed), m.fields);
    auto const before = with_parents(last, shape);
    auto const all = with_parents(fields_of(merged, shape), shape);
    auto const rest = with_parents(fields_of(remove_fields(merged, shape, before), shape), shape);
    auto const unmanaged = subtract(all, unite(rest, with_parents(managed, shape)));
    auto const kept = with_parents(fields_of(remove_fields(merged, shape, unmanaged), shape), shape);
    return remove_fields(merged, shape, intersect(subtract(all, kept), before));
}

answer<json::object> field_managers::apply(resource_definition const& d, json::object const& live,
                                           json::object const& configuration, merge_shape const& shape,
                                           field_manager by, bool force, field_set const& allowed) {
    auto const merged = merge_configuration(live, configuration, shape);
    by.fields = fields_of(configuration, shape);
    strip_fields(by.fields, d, by.subresource);
    field_set last;
    std::string last_time;
    if (auto const* known = find(by)) {
        last = known->fields;
        last_time = known->time;
    }
    std::erase_if(managers_, [&](auto const& m) { return m.is(by); });
    managers_.push_back(by);
    auto next = prune(merged, shape, last);
    auto changes = compare_fields(live, next, shape);
    for (auto* fields : {&changes.added, &changes.modified, &changes.removed}) strip_fields(*fields, d, by.subresource);
    auto const changed = unite(changes.modified, changes.added);
    std::map<std::string, field_set> conflicts;
    for (auto const& m : managers_) {
        if (m.is(by)) continue;
        auto fields = subtract(intersect(m.fields, changed), allowed);
        if (!fields.empty()) conflicts.emplace(m.text(), std::move(fields));
    }
    if (!force && !conflicts.empty()) return apply_conflict(conflicts);
    take(changes, by);
    bool const same = changes.added.empty() && changes.modified.empty() && changes.removed.empty();
    if (auto* own = find(by); own != nullptr && same) own->time = last_time; // of the last change; empty: none yet
    std::erase_if(managers_, [](auto const& m) { return m.fields.empty(); });
    return next;
}

} // namespace kftrain::apiserver
