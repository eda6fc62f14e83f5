#include "apiserver/checks/limit_ranges.hpp"
#include "apiserver/checks/quota_usage.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"
#include "base/joined.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

// Quotas, limits and priorities of pods. Upstream: apiserver `pkg/admission/plugin/resourcequota`, v0.31; kubernetes
// `pkg/controller/resourcequota`, `plugin/pkg/admission/limitranger`, v1.31.
namespace kftrain::apiserver {
namespace {

/// A class that every cluster has, unless an object has its name.
/// @par Upstream kubernetes `pkg/apis/scheduling/v1/helpers.go`, v1.31
std::optional<json::object> system_class(std::string_view name) {
    constexpr std::int64_t cluster_critical = 2'000'000'000;
    bool const is_node = name == "system-node-critical";
    if (!is_node && name != "system-cluster-critical") return std::nullopt;
    return json::object{{"metadata", {{"name", name}}},
                        {"value", cluster_critical + (is_node ? 1000 : 0)},
                        {"preemptionPolicy", "PreemptLowerPriority"}};
}

} // namespace

/// Counts a change of an object in the quotas of its namespace.
void object_store::impl::count_in_quotas(place const& at, stored_object const* before, stored_object const* after) {
    auto const& state = after != nullptr ? *after : *before;
    if (at.kind == quota_kind_) note_quota(at, after);
    auto const quotas = quotas_.find(state.namespace_());
    if (quotas == quotas_.end()) return;
    auto const& d = kinds_[at.kind]->definition;
    for (auto const& [object, sign] : {std::pair(before, -1), std::pair(after, 1)}) {
        if (object == nullptr) continue;
        auto const value = object->parsed();
        auto const usage = quota_usage(d, value);
        for (auto& [name, quota] : quotas->second) {
            if (quota.where == at || !quota_includes(quota.spec, d, value)) continue;
            for (auto const& [resource, amount] : usage)
                if (quota.spec.hard.contains(resource)) {
                    quota.used[resource] += amount * sign;
                    garbage_.insert(quota.where);
                }
        }
    }
}

void object_store::impl::note_quota(place const& at, stored_object const* quota) {
    if (quota == nullptr) {
        for (auto ns = quotas_.begin(); ns != quotas_.end(); ++ns) {
            std::erase_if(ns->second, [&](auto const& entry) { return entry.second.where == at; });
            if (!ns->second.empty()) continue;
            quotas_.erase(ns);
            break;
        }
        return;
    }
    auto const decoded = from_json<core::resource_quota>(quota->text());
    if (!decoded) return;
    std::string const ns(quota->namespace_());
    auto& entry = quotas_[ns][std::string(quota->name())];
    entry.where = at;
    auto const text = to_json(decoded->spec);
    if (text == entry.spec_text) return; // its status was written
    entry.spec = decoded->spec;
    entry.spec_text = text;
    entry.used.clear();
    for (auto const& [resource, hard] : entry.spec.hard) entry.used[resource] = quantity::from(0);
    auto const prefix = ns + "/";
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        auto const& [d, objects] = std::tie(kinds_[k]->definition, kinds_[k]->objects);
        for (auto o = objects.lower_bound(prefix); o != objects.end() && o->first.starts_with(prefix); ++o) {
            auto const value = o->second->parsed();
            if (!quota_includes(entry.spec, d, value)) continue;
            for (auto const& [resource, amount] : quota_usage(d, value))
                if (auto const at_hard = entry.used.find(resource); at_hard != entry.used.end())
                    at_hard->second += amount;
        }
    }
    garbage_.insert(at);
}

/// Writes the status of a quota, as its controller does.
void object_store::impl::examine_quota(place const& at, object_ptr const& object) {
    auto const quotas = quotas_.find(object->namespace_());
    if (quotas == quotas_.end()) return;
    auto const entry = quotas->second.find(std::string(object->name()));
    if (entry == quotas->second.end()) return;
    core::resource_quota_status status;
    status.hard = entry->second.spec.hard;
    for (auto const& [resource, hard] : status.hard)
        status.used[resource] = quantity(entry->second.used[resource].canonical());
    auto value = object->parsed();
    json::value written = read_stored(to_json(status));
    if (auto const* const current = value.if_contains("status"); current != nullptr && same_value(*current, written))
        return;
    value["status"] = std::move(written);
    put(at, std::move(value));
}

answer<void> object_store::impl::check_quotas(resource_definition const& d, std::string_view ns,
                                              json::object const& object, json::object const* old) const {
    auto const quotas = quotas_.find(ns);
    if (quotas == quotas_.end()) return {};
    for (auto const& [name, quota] : quotas->second)
        if (auto const fault = quota_fault(name, quota.spec, quota.used, d, object, old); !fault.empty())
            return forbidden(d, text_in(metadata_of(object), "name"), fault);
    return {};
}

template <class Each> void object_store::impl::each_limit_range(std::string_view ns, Each each) const {
    if (!limit_range_kind_) return;
    auto const& objects = kinds_[*limit_range_kind_]->objects;
    if (objects.empty()) return;
    auto const prefix = key_of(ns, "");
    for (auto o = objects.lower_bound(prefix); o != objects.end() && o->first.starts_with(prefix); ++o)
        each(o->second->parsed());
}

void object_store::impl::set_limit_defaults(resource_definition const& d, std::string_view ns,
                                            json::object& object) const {
    if (d.custom || !d.group.empty()) return;
    if (d.plural == "limitranges") set_limit_range_defaults(object);
    if (d.plural == "pods")
        each_limit_range(ns, [&](json::object const& range) { apply_limit_range_defaults(range, object); });
}

answer<void> object_store::impl::check_limits(resource_definition const& d, std::string_view ns,
                                              json::object const& object) const {
    if (!d.group.empty() || (d.plural != "pods" && d.plural != "persistentvolumeclaims")) return {};
    std::vector<std::string> faults;
    each_limit_range(ns, [&](json::object const& range) {
        if (faults.empty()) faults = limit_range_faults(range, object);
    });
    if (faults.empty()) return {};
    auto const text = joined(faults, ", ");
    return forbidden(d, text_in(metadata_of(object), "name"), faults.size() > 1 ? "[" + text + "]" : text);
}

// The priority of pods by their PriorityClass.

object_ptr object_store::impl::priority_class_of(std::string_view name) const {
    if (!name.empty()) return find(*priority_kind_, key_of("", name));
    object_ptr lowest; // a journal of an earlier release may contain several default classes
    std::int64_t value = 0;
    for (auto const& [key, stored] : kinds_[*priority_kind_]->objects) {
        auto const parsed = stored->parsed();
        if (!true_in(parsed, "globalDefault")) continue;
        auto const its = integer_in(parsed, "value").value_or(0);
        if (lowest && its >= value) continue;
        lowest = stored;
        value = its;
    }
    return lowest;
}

answer<void> object_store::impl::check_default_class(resource_definition const& d, json::object const& object,
                                                     bool created) const {
    if (d.custom || d.group != "scheduling.k8s.io" || d.plural != "priorityclasses") return {};
    if (!true_in(object, "globalDefault")) return {};
    auto const name = text_in(metadata_of(object), "name");
    auto const other = priority_class_of({});
    if (!other || (!created && other->name() == name)) return {};
    return forbidden(d, name,
                     "PriorityClass " + std::string(other->name()) +
                         " is already marked as default. Only one default can exist");
}

/// @par Upstream kubernetes `plugin/pkg/admission/priority/admission.go`, v1.31; a class that does not exist has no
/// effect here
answer<void> object_store::impl::set_priority(resource_definition const& d, json::object& object) const {
    if (d.custom || !d.group.empty() || d.plural != "pods" || !priority_kind_) return {};
    auto* const spec = object_in(object, "spec");
    if (spec == nullptr) return {};
    std::string const name(text_in(*spec, "priorityClassName"));
    auto const found = priority_class_of(name);
    auto const builtin = found ? std::nullopt : system_class(name);
    if (!found && !builtin) return {};
    auto const chosen = found ? found->parsed() : *builtin;
    (*spec)["priorityClassName"] = text_in(metadata_of(chosen), "name");
    auto const refuse = [&](std::string const& field, std::string const& given, std::string const& computed) {
        return forbidden(d, text_in(metadata_of(object), "name"),
                         "the " + field + " (" + given +
                             ") must not be provided in pod spec; priority admission controller computed " + computed +
                             " from the given PriorityClass name");
    };
    auto const value = integer_in(chosen, "value").value_or(0);
    if (auto const given = integer_in(*spec, "priority"); given && *given != value)
        return refuse("integer value of priority", std::to_string(*given), std::to_string(value));
    (*spec)["priority"] = value;
    std::string const policy(text_in(chosen, "preemptionPolicy"));
    if (auto const given = text_in(*spec, "preemptionPolicy"); !given.empty() && given != policy)
        return refuse("string value of PreemptionPolicy", std::string(given), policy);
    (*spec)["preemptionPolicy"] = policy;
    return {};
}

} // namespace kftrain::apiserver
