#include "apiserver/checks/job_validation.hpp"

#include "apiserver/text/refusals.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/objects/batch/job.hpp>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;

void check_counts(json::object const& spec, causes& found) {
    for (auto const* name : {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                             "backoffLimitPerIndex", "maxFailedIndexes", "ttlSecondsAfterFinished"})
        if (auto const n = integer_in(spec, name); n && *n < 0)
            found.emplace_back("FieldValueInvalid",
                               "Invalid value: " + std::to_string(*n) + ": must be greater than or equal to 0",
                               "spec." + std::string(name));
}

void check_mode(json::object const& spec, causes& found) {
    auto const mode = text_in(spec, "completionMode");
    if (mode != "NonIndexed" && mode != "Indexed")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(mode) + R"(: supported values: "Indexed", "NonIndexed")",
                           "spec.completionMode");
    if (mode == "Indexed" && !integer_in(spec, "completions"))
        found.emplace_back("FieldValueRequired", "Required value: when completion mode is Indexed", "spec.completions");
    if (mode == "Indexed") return;
    for (auto const* name : {"backoffLimitPerIndex", "maxFailedIndexes"})
        if (auto const n = integer_in(spec, name))
            found.emplace_back("FieldValueInvalid",
                               "Invalid value: " + std::to_string(*n) + ": requires indexed completion mode",
                               "spec." + std::string(name));
}

/// The template as the pod that is made of it.
void check_template(json::object const& spec, batch::job const& typed, causes& found) {
    pod sample;
    sample.metadata.name = "pod";
    sample.metadata.namespace_ = "default";
    sample.metadata.labels = typed.spec.template_.metadata.labels;
    sample.metadata.annotations = typed.spec.template_.metadata.annotations;
    sample.spec = typed.spec.template_.spec;
    for (auto& f : created_pod_faults(sample))
        found.emplace_back(std::move(f.reason), std::move(f.message), "spec.template." + f.field);
    auto const* from = object_in(spec, "template");
    auto const* pods = from != nullptr ? object_in(*from, "spec") : nullptr;
    auto const policy = pods != nullptr ? text_in(*pods, "restartPolicy") : std::string_view("Always");
    if (policy != "OnFailure" && policy != "Never")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(policy) + R"(: supported values: "OnFailure", "Never")",
                           "spec.template.spec.restartPolicy");
}

json::value member_of(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(key(name));
    return v != nullptr ? *v : json::value();
}

/// The template without what may change while no pod was ever made of it.
json::value without_directives(json::value from) {
    auto* whole = from.if_object();
    if (whole == nullptr) return from;
    if (auto* meta = object_in(*whole, "metadata")) {
        meta->erase("labels");
        meta->erase("annotations");
        if (meta->empty()) whole->erase("metadata");
    }
    if (auto* spec = object_in(*whole, "spec"))
        for (auto const* name : {"nodeSelector", "affinity", "tolerations", "schedulingGates"}) spec->erase(name);
    return from;
}

void check_unchanged(json::object const& old, json::object const& next, bool may_be_placed, causes& found) {
    auto const check = [&](std::string_view name, bool same) {
        if (same) return;
        auto const value = member_of(next, name);
        found.emplace_back("FieldValueInvalid", "Invalid value: " + json::serialize(value) + ": field is immutable",
                           "spec." + std::string(name));
    };
    for (auto const* name :
         {"selector", "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"})
        check(name, same_value(member_of(old, name), member_of(next, name)));
    auto const completions = member_of(next, "completions");
    bool const elastic = text_in(next, "completionMode") == "Indexed" &&
                         same_value(completions, member_of(next, "parallelism")) &&
                         same_value(member_of(old, "completions"), member_of(old, "parallelism"));
    check("completions", elastic || same_value(member_of(old, "completions"), completions));
    auto was = member_of(old, "template"), is = member_of(next, "template");
    if (may_be_placed) was = without_directives(std::move(was)), is = without_directives(std::move(is));
    check("template", same_value(was, is));
}

} // namespace

std::vector<refusal_cause> check_job_update(json::object const& old, json::object const& next) {
    auto found = check_job(next, nullptr);
    auto const* was = object_in(old, "spec");
    auto const* is = object_in(next, "spec");
    if (was == nullptr || is == nullptr) return found;
    auto const* status = object_in(old, "status");
    bool const started = status != nullptr && !text_in(*status, "startTime").empty();
    check_unchanged(*was, *is, true_in(*was, "suspend") && !started, found);
    return found;
}

std::vector<refusal_cause> check_job(json::object const& job, void const* typed) {
    causes found;
    auto const* spec = object_in(job, "spec");
    if (spec == nullptr) return found;
    check_counts(*spec, found);
    check_mode(*spec, found);
    if (typed != nullptr) check_template(*spec, *static_cast<batch::job const*>(typed), found);
    return found;
}

} // namespace kftrain::apiserver
