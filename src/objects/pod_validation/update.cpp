#include "base/joined.hpp"
#include "model/rules/value_syntax.hpp"
#include "objects/pod_validation.hpp"
#include "objects/pod_validation/checks.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core/pod_spec.hpp>

#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace kftrain {
namespace {

constexpr std::array<char const*, 2> counted{"cpu", "memory"};

struct sums {
    quantity requested, limited;
    bool requests = false, limits = false;
};

/// Adds the requests and limits of a container for a resource. True if it has a limit.
bool add(resource_list const& amounts, char const* name, quantity& sum, bool& any) {
    auto const found = amounts.find(name);
    if (found == amounts.end() || found->second.sign() <= 0) return false;
    sum += found->second;
    return any = true;
}

/// Guaranteed, Burstable or BestEffort; of a pod that has its defaults.
/// @par Upstream kubernetes `pkg/apis/core/helper/qos/qos.go`, `ComputePodQOS`, v1.31.3
std::string_view quality_of(core::pod_spec const& spec) {
    std::array<sums, counted.size()> all;
    bool everywhere = true;
    for (auto const* list : {&spec.containers, &spec.init_containers})
        for (auto const& c : *list)
            for (std::size_t i = 0; i < counted.size(); ++i) {
                add(c.resources.requests, counted[i], all[i].requested, all[i].requests);
                if (!add(c.resources.limits, counted[i], all[i].limited, all[i].limits)) everywhere = false;
            }
    bool any = false, equal = true;
    for (auto const& s : all) {
        any = any || s.requests || s.limits;
        equal = equal && s.requests == s.limits && (!s.requests || s.requested == s.limited);
    }
    if (!any) return "BestEffort";
    return everywhere && equal ? "Guaranteed" : "Burstable";
}

using namespace pod_checks;

constexpr std::string_view changeable =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
/// Differences that are reported for a forbidden change, and how much of each value.
constexpr std::size_t most_differences = 8, most_characters = 200;

/// False if the rest is not to be looked at.
bool check_containers(std::vector<core::container> const& next, std::vector<core::container> const& stored,
                      std::string_view list, field_faults& found) {
    field_path const spec("spec");
    if (next.size() != stored.size()) {
        found.forbidden(spec.text(list), "pod updates may not add or remove containers");
        return false;
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
        field_path const at(spec, list, i);
        if (next[i].image.empty()) found.required(at.text("image"));
    }
    check_images(next, list, spec, found);
    return true;
}

/// As check_containers().
bool check_deadline(core::pod_spec const& next, core::pod_spec const& stored, field_faults& found) {
    auto const& now = next.active_deadline_seconds;
    auto const& before = stored.active_deadline_seconds;
    std::string const field = "spec.activeDeadlineSeconds";
    constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
    if (!now) {
        if (before) found.invalid(field, "\"null\"", "must not update from a positive integer to nil value");
        return true;
    }
    if (*now < 0 || *now > last)
        found.invalid(field, *now, outside(0, last));
    else if (before && *before < *now)
        found.invalid(field, *now, "must be less than or equal to previous value");
    else
        return true;
    return false;
}

/// Checks that earlier tolerations stay; their time may change.
void check_added_tolerations(core::pod_spec const& next, core::pod_spec const& stored, field_faults& found) {
    auto const key = [](core::toleration const& t) { return std::tie(t.key, t.operator_, t.value, t.effect); };
    std::set<std::tuple<std::string const&, std::string const&, std::string const&, std::string const&>> known;
    for (auto const& t : next.tolerations) known.insert(key(t));
    for (auto const& t : stored.tolerations)
        if (!known.contains(key(t)))
            return found.forbidden("spec.tolerations",
                                   "existing toleration can not be modified except its tolerationSeconds");
    check_tolerations(next.tolerations, field_path("spec"), found);
}

void check_removed_gates(core::pod_spec const& next, core::pod_spec const& stored, field_faults& found) {
    std::set<std::string_view> known;
    for (auto const& gate : stored.scheduling_gates) known.insert(gate.name);
    field_path const spec("spec");
    for (std::size_t i = 0; i < next.scheduling_gates.size(); ++i) {
        auto const& name = next.scheduling_gates[i].name;
        field_path const at(spec, "schedulingGates", i);
        if (!known.contains(name))
            found.forbidden(at.text("name"), "only deletion is allowed, but found new scheduling gate '" + name + "'");
    }
}

/// Of a pod that is not to be placed yet.
void check_added_labels(string_map const& next, string_map const& stored, field_faults& found) {
    for (auto const& [key, value] : stored) {
        auto const now = next.find(key);
        if (now != next.end() && now->second == value) continue;
        auto const printed = joined(next, ", ", [](auto const& label) {
            return go_text::quoted(label.first) + ":" + go_text::quoted(label.second);
        });
        return found.invalid("spec.nodeSelector", std::string_view("map[string]string{" + printed + "}"),
                             "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
}

/// Resets the fields that may change, or that were checked, to the stored ones.
void settle(core::pod_spec& next, core::pod_spec const& stored) {
    for (std::size_t i = 0; i < next.containers.size(); ++i) next.containers[i].image = stored.containers[i].image;
    for (std::size_t i = 0; i < next.init_containers.size(); ++i)
        next.init_containers[i].image = stored.init_containers[i].image;
    next.active_deadline_seconds = stored.active_deadline_seconds;
    next.scheduling_gates = stored.scheduling_gates;
    next.tolerations = stored.tolerations;
    if (stored.termination_grace_period_seconds.value_or(0) < 0 && next.termination_grace_period_seconds == 1)
        next.termination_grace_period_seconds = stored.termination_grace_period_seconds;
    if (!stored.scheduling_gates.empty()) next.node_selector = stored.node_selector;
}

std::string shortened(std::string const& text) {
    if (text.empty()) return "nothing";
    return text.size() <= most_characters ? text : text.substr(0, most_characters) + "...";
}

/// The names of fields are reported, and values if they are short.
std::string describe(core::pod_spec const& stored, core::pod_spec const& next) {
    std::string out;
    std::size_t count = 0;
    for (auto const& d : diff(stored, next)) {
        if (++count > most_differences) return out + "\n  ...\n";
        out += "\n  spec." + d.path + ": " + shortened(d.before) + " -> " + shortened(d.after);
    }
    return out + "\n";
}

} // namespace

std::vector<schema_violation> updated_pod_faults(pod const& next, pod const& stored) {
    field_faults found;
    check_specification(next.spec, next.metadata.name, found);
    if (!check_containers(next.spec.containers, stored.spec.containers, "containers", found) ||
        !check_containers(next.spec.init_containers, stored.spec.init_containers, "initContainers", found) ||
        !check_deadline(next.spec, stored.spec, found))
        return found.take();
    check_added_tolerations(next.spec, stored.spec, found);
    check_removed_gates(next.spec, stored.spec, found);
    if (auto const before = quality_of(stored.spec); before != quality_of(next.spec))
        found.invalid_text("metadata", before, "Pod QoS is immutable");
    if (!stored.spec.scheduling_gates.empty())
        check_added_labels(next.spec.node_selector, stored.spec.node_selector, found);
    auto settled = next.spec;
    settle(settled, stored.spec);
    if (settled != stored.spec) found.forbidden("spec", std::string(changeable) + describe(stored.spec, settled));
    return found.take();
}

} // namespace kftrain
