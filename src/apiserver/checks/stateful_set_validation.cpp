#include "apiserver/checks/builtin_checks.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/objects/apps/stateful_set.hpp>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;

/// Its pods are named after it, and a name of a pod is a host name.
void check_set_name(json::object const& set, causes& found) {
    auto const* meta = object_in(set, "metadata");
    auto const name = meta != nullptr ? text_in(*meta, "name") : std::string_view();
    auto const refuse = [&](std::string_view why) {
        found.emplace_back("FieldValueInvalid", invalid_value(name, why), "metadata.name");
    };
    if (name.find('.') != name.npos) refuse("must not contain dots");
    if (name.size() > 63) refuse("must be no more than 63 characters");
}

void check_set_counts(json::object const& spec, causes& found) {
    for (auto const* name : {"replicas", "minReadySeconds"})
        if (auto const n = integer_in(spec, name); n && *n < 0)
            found.emplace_back("FieldValueInvalid",
                               "Invalid value: " + std::to_string(*n) + ": must be greater than or equal to 0",
                               "spec." + std::string(name));
    if (auto const n = integer_in(spec, "replicas"); n && *n > most_replicas)
        found.emplace_back("FieldValueInvalid",
                           "Invalid value: " + std::to_string(*n) + ": must be less than or equal to " +
                               std::to_string(most_replicas) + " on this server",
                           "spec.replicas");
}

/// The template as the pod that is made of it.
void check_set_template(apps::stateful_set const& typed, causes& found) {
    auto const& from = typed.spec.template_;
    pod sample;
    sample.metadata.name = "pod";
    sample.metadata.namespace_ = "default";
    sample.metadata.labels = from.metadata.labels;
    sample.metadata.annotations = from.metadata.annotations;
    sample.spec = from.spec;
    for (auto& f : created_pod_faults(sample))
        found.emplace_back(std::move(f.reason), std::move(f.message), "spec.template." + f.field);
    if (auto const& policy = from.spec.restart_policy; !policy.empty() && policy != "Always")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(policy) + R"(: supported values: "Always")",
                           "spec.template.spec.restartPolicy");
}

json::object without_changeable(json::object const* spec) {
    json::object left = spec != nullptr ? *spec : json::object();
    for (auto const* name : {"replicas", "ordinals", "template", "updateStrategy",
                             "persistentVolumeClaimRetentionPolicy", "minReadySeconds"})
        left.erase(name);
    return left;
}

} // namespace

std::vector<refusal_cause> check_stateful_set(json::object const& set, void const* typed) {
    causes found;
    check_set_name(set, found);
    auto const* spec = object_in(set, "spec");
    if (spec == nullptr) return found;
    check_set_counts(*spec, found);
    if (typed != nullptr) check_set_template(*static_cast<apps::stateful_set const*>(typed), found);
    return found;
}

std::vector<refusal_cause> check_stateful_set_update(json::object const& old, json::object const& next) {
    causes found;
    auto const was = without_changeable(object_in(old, "spec")), is = without_changeable(object_in(next, "spec"));
    if (!same_value(was, is))
        found.emplace_back("FieldValueForbidden",
                           "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                           "'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and "
                           "'minReadySeconds' are forbidden",
                           "spec");
    if (auto const* spec = object_in(next, "spec")) check_set_counts(*spec, found);
    return found;
}

} // namespace kftrain::apiserver
