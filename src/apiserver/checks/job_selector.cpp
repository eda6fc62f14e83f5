#include "apiserver/checks/job_selector.hpp"

#include "base/joined.hpp"
#include "model/json/go_text.hpp"
#include "objects/pod_validation/checks.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/selector.hpp>

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

} // namespace

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

} // namespace kftrain::apiserver
