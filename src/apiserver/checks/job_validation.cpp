#include "apiserver/checks/builtin_checks.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/schema/field_faults.hpp"
#include "objects/pod_validation.hpp"
#include "objects/pod_validation/checks.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <algorithm>
#include <iterator>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;

string_map labels_of(json::object const& spec) {
    string_map labels;
    auto const* from = object_in(spec, "template");
    auto const* given = from != nullptr ? object_in(metadata_of(*from), "labels") : nullptr;
    if (given == nullptr) return labels;
    for (auto const& [k, v] : *given)
        if (auto const* text = v.if_string())
            labels.insert_or_assign(std::string(k.data(), k.size()), std::string(view(*text)));
    return labels;
}

std::optional<label_selector> selector_of(json::object const& spec) {
    auto const* given = object_in(spec, "selector");
    if (given == nullptr) return std::nullopt;
    auto read = from_json<label_selector>(json::serialize(*given));
    return read ? std::optional(std::move(*read)) : std::nullopt;
}

std::string printed(string_map const& labels) {
    auto const pair = [](auto const& l) { return go_text::quoted(l.first) + ":" + go_text::quoted(l.second); };
    return "map[string]string{" + joined(labels, ", ", pair) + "}";
}

/// As Go prints the struct.
std::string printed(label_selector const& s) {
    auto const expression = [](auto const& e) {
        auto const values =
            e.values.empty() ? "[]string(nil)" : "[]string{" + joined(e.values, ", ", go_text::quoted) + "}";
        return "v1.LabelSelectorRequirement{Key:" + go_text::quoted(e.key) +
               ", Operator:" + go_text::quoted(e.operator_) + ", Values:" + values + "}";
    };
    std::string const type = "[]v1.LabelSelectorRequirement";
    return "v1.LabelSelector{MatchLabels:" +
           (s.match_labels.empty() ? "map[string]string(nil)" : printed(s.match_labels)) +
           ", MatchExpressions:" + type +
           (s.match_expressions.empty() ? "(nil)" : "{" + joined(s.match_expressions, ", ", expression) + "}") + "}";
}

void invalid(causes& found, std::string field, std::string const& value, std::string_view why) {
    found.emplace_back("FieldValueInvalid", "Invalid value: " + value + ": " + std::string(why), std::move(field));
}

/// Whether what the Job replaces has the labels that older servers did not make.
bool has_prefixed_labels(json::object const* stored) {
    if (stored == nullptr) return true;
    auto const* spec = object_in(*stored, "spec");
    auto const labels = spec != nullptr ? labels_of(*spec) : string_map();
    return labels.contains("batch.kubernetes.io/job-name") && labels.contains("batch.kubernetes.io/controller-uid");
}

void check_generated_selector(json::object const& job, json::object const& spec, json::object const* stored,
                              causes& found) {
    auto const selector = selector_of(spec);
    if (true_in(spec, "manualSelector") || !selector) return;
    auto const labels = labels_of(spec);
    std::string const name(text_in(metadata_of(job), "name")), uid(text_in(metadata_of(job), "uid"));
    bool const prefixed = has_prefixed_labels(stored);
    string_map expected;
    for (auto const* prefix : {"", "batch.kubernetes.io/"}) {
        if (*prefix != 0 && !prefixed) continue;
        for (auto const& [member, value] : {std::pair{"controller-uid", &uid}, {"job-name", &name}}) {
            auto const key = std::string(prefix) + member;
            expected.insert_or_assign(key, *value);
            auto const field = "spec.template.metadata.labels[" + key + "]";
            auto const at = labels.find(key);
            if (at == labels.end())
                found.emplace_back("FieldValueRequired", "Required value: must be '" + *value + "'", field);
            else if (at->second != *value)
                invalid(found, field, printed(labels), "must be '" + *value + "'");
        }
    }
    if (auto const query = label_query::from(*selector); query && !query->matches(expected))
        invalid(found, "spec.selector", printed(*selector), "`selector` not auto-generated");
}

void check_selector(json::object const& spec, causes& found) {
    auto const selector = selector_of(spec);
    if (!selector) {
        found.emplace_back("FieldValueRequired", "Required value", "spec.selector");
    } else {
        field_faults wrong;
        boxed<label_selector> one;
        one.emplace() = *selector;
        pod_checks::check_label_selector(one, field_path("spec"), "selector", wrong);
        for (auto& f : wrong.take()) found.emplace_back(std::move(f.reason), std::move(f.message), std::move(f.field));
    }
    auto const labels = labels_of(spec);
    auto const query = label_query::from(selector.value_or(label_selector()));
    if (query && (!selector || !query->matches(labels)))
        invalid(found, "spec.template.metadata.labels", printed(labels), "`selector` does not match template `labels`");
}

constexpr std::int64_t most_pods = 100'000, most_of_many = 10'000;

std::string number_fault(std::int64_t n, std::string_view why) {
    return "Invalid value: " + std::to_string(n) + ": " + std::string(why);
}

std::string at_most(std::int64_t n) { return "must be less than or equal to " + std::to_string(n); }

void check_counts(json::object const& spec, causes& found) {
    for (auto const* name : {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                             "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"})
        if (auto const n = integer_in(spec, name); n && *n < 0)
            found.emplace_back("FieldValueInvalid", number_fault(*n, "must be greater than or equal to 0"),
                               "spec." + std::string(name));
    if (auto const n = integer_in(spec, "parallelism");
        n && *n > most_replicas && text_in(spec, "completionMode") != "Indexed")
        found.emplace_back("FieldValueInvalid", number_fault(*n, at_most(most_replicas) + " on this server"),
                           "spec.parallelism");
    if (integer_in(spec, "maxFailedIndexes") && !integer_in(spec, "backoffLimitPerIndex"))
        found.emplace_back("FieldValueRequired", "Required value: when maxFailedIndexes is specified",
                           "spec.backoffLimitPerIndex");
}

/// Who looks after the Job, as `example.com/controller`.
void check_manager(json::object const& spec, causes& found) {
    auto const* given = spec.if_contains("managedBy");
    auto const* text = given != nullptr ? given->if_string() : nullptr;
    if (text == nullptr) return;
    auto const manager = view(*text);
    std::string const field = "spec.managedBy";
    field_faults wrong;
    auto const slash = std::min(manager.find('/'), manager.size());
    auto const host = manager.substr(0, slash), path = manager.substr(std::min(slash + 1, manager.size()));
    constexpr std::string_view marks = "/-._~%!$&'()*+,;=:";
    auto const known = [&](char c) { return is_letter(c) || is_digit(c) || marks.find(c) != std::string_view::npos; };
    if (manager.empty()) {
        wrong.required(field);
    } else if (host.empty() || path.empty()) {
        wrong.invalid_text(field, manager, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
        wrong.invalid_text(field, host, dns_subdomain_faults(host));
        if (!std::ranges::all_of(path, known))
            wrong.invalid_text(field, path,
                               "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    }
    if (manager.size() > 63) wrong.too_long(field, "may not be longer than 63");
    for (auto& f : wrong.take()) found.emplace_back(std::move(f.reason), std::move(f.message), std::move(f.field));
}

/// The limits of an Indexed Job with many indexes: its status lists them.
void check_many_indexes(json::object const& spec, causes& found) {
    auto const completions = integer_in(spec, "completions"), failed = integer_in(spec, "maxFailedIndexes");
    auto const parallelism = integer_in(spec, "parallelism");
    auto const limit = [&](std::optional<std::int64_t> n, std::int64_t most, std::string_view name,
                           std::string const& why) {
        if (n && *n > most) found.emplace_back("FieldValueInvalid", number_fault(*n, why), "spec." + std::string(name));
    };
    limit(parallelism, most_pods, "parallelism", at_most(most_pods) + " when completion mode is Indexed");
    if (completions) limit(failed, *completions, "maxFailedIndexes", "must be less than or equal to completions");
    limit(failed, most_pods, "maxFailedIndexes", at_most(most_pods));
    if (!completions || *completions <= most_pods || !integer_in(spec, "backoffLimitPerIndex")) return;
    auto const above =
        " when completions are above " + std::to_string(most_pods) + " and used with backoff limit per index";
    if (!failed)
        found.emplace_back("FieldValueRequired",
                           "Required value: must be specified when completions is above " + std::to_string(most_pods),
                           "spec.maxFailedIndexes");
    limit(parallelism, most_of_many, "parallelism", at_most(most_of_many) + above);
    limit(failed, most_of_many, "maxFailedIndexes", at_most(most_of_many) + above);
}

void check_mode(json::object const& spec, causes& found) {
    auto const mode = text_in(spec, "completionMode");
    if (mode != "NonIndexed" && mode != "Indexed")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(mode) + R"(: supported values: "NonIndexed", "Indexed")",
                           "spec.completionMode");
    if (mode == "Indexed" && !integer_in(spec, "completions"))
        found.emplace_back("FieldValueRequired", "Required value: when completion mode is Indexed", "spec.completions");
    if (mode == "Indexed") return check_many_indexes(spec, found);
    if (mode != "NonIndexed") return;
    for (auto const* name : {"backoffLimitPerIndex", "maxFailedIndexes"})
        if (auto const n = integer_in(spec, name))
            found.emplace_back("FieldValueInvalid", number_fault(*n, "requires indexed completion mode"),
                               "spec." + std::string(name));
}

/// An Indexed Job calls its pods by its name and the index.
void check_host_names(json::object const& job, json::object const& spec, causes& found) {
    auto const completions = integer_in(spec, "completions");
    if (text_in(spec, "completionMode") != "Indexed" || !completions || *completions <= 0) return;
    auto const name = text_in(metadata_of(job), "name");
    auto const last = std::string(name) + "-" + std::to_string(*completions - 1);
    if (!dns_label_faults(last).empty())
        found.emplace_back("FieldValueInvalid",
                           invalid_value(name, "will not able to create pod with invalid DNS label: " + last),
                           "metadata.name");
}

/// The server labels the pods of a Job with its name, which has to do as such a value.
void check_name_as_label(json::object const& job, json::object const& spec, causes& found) {
    auto const name = text_in(metadata_of(job), "name");
    if (name.size() > 63 && !true_in(spec, "manualSelector"))
        found.emplace_back("FieldValueInvalid", invalid_value(name, "must be no more than 63 characters"),
                           "spec.template.labels");
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
    std::string const field = "spec.template.spec.restartPolicy";
    if (policy == "Always" || policy.empty())
        found.emplace_back("FieldValueRequired", R"(Required value: valid values: "OnFailure", "Never")", field);
    else if (policy != "OnFailure" && policy != "Never")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(policy) + R"(: supported values: "OnFailure", "Never")",
                           field);
    else if (policy != "Never" && object_in(spec, "podFailurePolicy") != nullptr)
        found.emplace_back("FieldValueInvalid",
                           invalid_value(policy, R"(only "Never" is supported when podFailurePolicy is specified)"),
                           field);
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
    auto found = check_job(next, nullptr, &old);
    auto const* was = object_in(old, "spec");
    auto const* is = object_in(next, "spec");
    if (was == nullptr || is == nullptr) return found;
    auto const* status = object_in(old, "status");
    bool const started = status != nullptr && !text_in(*status, "startTime").empty();
    check_unchanged(*was, *is, true_in(*was, "suspend") && !started, found);
    return found;
}

std::vector<refusal_cause> check_job(json::object const& job, void const* typed, json::object const* stored) {
    causes found;
    auto const* spec = object_in(job, "spec");
    if (spec == nullptr) return found;
    check_generated_selector(job, *spec, stored, found);
    check_counts(*spec, found);
    check_manager(*spec, found);
    check_mode(*spec, found);
    std::ranges::move(check_job_policies(*spec), std::back_inserter(found));
    if (typed != nullptr) check_name_as_label(job, *spec, found);
    if (typed != nullptr) check_template(*spec, *static_cast<batch::job const*>(typed), found);
    check_selector(*spec, found);
    check_host_names(job, *spec, found);
    return found;
}

} // namespace kftrain::apiserver
