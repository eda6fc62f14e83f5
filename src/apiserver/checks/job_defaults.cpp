#include "apiserver/text/default_values.hpp"

#include <limits>

namespace kftrain::apiserver {
namespace {

json::object& child_of(json::object& o, std::string_view name) {
    auto& v = o[key(name)];
    return v.is_object() ? v.get_object() : v.emplace_object();
}

void job_spec_defaults(json::object& spec) {
    auto const absent = [&](std::string_view name) {
        auto const* v = spec.if_contains(key(name));
        return v == nullptr || v->is_null();
    };
    bool const one = absent("completions") && absent("parallelism");
    if (one) fill(spec, "completions", 1);
    fill(spec, "parallelism", 1);
    constexpr auto unlimited = std::numeric_limits<std::int32_t>::max();
    fill(spec, "backoffLimit", absent("backoffLimitPerIndex") ? 6 : unlimited);
    fill(spec, "completionMode", "NonIndexed");
    fill(spec, "suspend", false);
    fill(spec, "podReplacementPolicy", absent("podFailurePolicy") ? "TerminatingOrFailed" : "Failed");
    fill(spec, "manualSelector", false);
    if (auto* policy = object_in(spec, "podFailurePolicy"))
        each(*policy, "rules", [](json::object& rule) {
            each(rule, "onPodConditions", [](json::object& pattern) { fill(pattern, "status", "True"); });
        });
}

/// What makes the pods of a Job its own: its uid, in the labels of its pods and in its selector.
void generate_selector(json::object& meta, json::object& spec) {
    json::string const name(key(text_in(meta, "name"))), uid(key(text_in(meta, "uid")));
    auto& labels = child_of(child_of(child_of(spec, "template"), "metadata"), "labels");
    for (auto const* prefix : {"", "batch.kubernetes.io/"}) {
        fill(labels, std::string(prefix) + "job-name", name);
        fill(labels, std::string(prefix) + "controller-uid", uid);
    }
    fill(child_of(child_of(spec, "selector"), "matchLabels"), "batch.kubernetes.io/controller-uid", uid);
}

} // namespace

void set_job_defaults(json::object& job, bool creating) {
    auto* spec = object_in(job, "spec");
    if (spec == nullptr) return;
    job_spec_defaults(*spec);
    auto& meta = metadata_of(job);
    auto* from = object_in(*spec, "template");
    if (from != nullptr) {
        set_template_defaults(*from);
        // As written: the labels that distinguish the pods of this Job are only on the pods.
        auto const* template_meta = object_in(*from, "metadata");
        auto const* labels = template_meta != nullptr ? object_in(*template_meta, "labels") : nullptr;
        auto const* own = object_in(meta, "labels");
        if (creating && labels != nullptr && !labels->empty() && (own == nullptr || own->empty())) {
            json::object copy = *labels;
            meta["labels"] = std::move(copy);
        }
    }
    if (creating && !true_in(*spec, "manualSelector")) generate_selector(meta, *spec);
}

} // namespace kftrain::apiserver
