#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

// The priority of pods by their PriorityClass.
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

object_ptr object_store::impl::priority_class_of(std::string_view name) const {
    if (!name.empty()) return find(*priority_kind_, key_of("", name));
    object_ptr lowest; // of several default classes
    std::int64_t value = 0;
    for (auto const& [key, stored] : kinds_[*priority_kind_]->objects) {
        auto const parsed = stored->parsed();
        auto const* const is_default = parsed.if_contains("globalDefault");
        if (is_default == nullptr || !is_default->is_bool() || !is_default->get_bool()) continue;
        auto const its = integer_in(parsed, "value").value_or(0);
        if (lowest && its >= value) continue;
        lowest = stored;
        value = its;
    }
    return lowest;
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
