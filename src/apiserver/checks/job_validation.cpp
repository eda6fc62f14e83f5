#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/schema/field_faults.hpp"
#include "objects/pod_validation.hpp"
#include "objects/pod_validation/checks.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;

/// As field errors print a text that is too long or a list with too many items.
refusal_cause too_many(std::size_t items, std::size_t most, std::string field) {
    return {"FieldValueTooMany",
            "Too many: " + std::to_string(items) + ": must have at most " + std::to_string(most) + " items",
            std::move(field)};
}

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

void invalid(causes& found, std::string field, std::string_view value, std::string_view why) {
    found.emplace_back("FieldValueInvalid", std::string("Invalid value: ").append(value).append(": ").append(why),
                       std::move(field));
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

/// Checks the name of the controller of the Job, such as `example.com/controller`.
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

using text_values = std::span<std::string_view const>;

constexpr std::array<std::string_view, 4> actions{"Count", "FailIndex", "FailJob", "Ignore"};
constexpr std::array<std::string_view, 2> operators{"In", "NotIn"};
constexpr std::array<std::string_view, 3> truths{"False", "True", "Unknown"};
constexpr std::array<std::string_view, 2> replacements{"Failed", "TerminatingOrFailed"};
constexpr std::size_t most_rules = 20, most_codes = 255, most_patterns = 20, longest_indexes = 64 * 1024;

void add(causes& to, field_faults found) {
    for (auto& f : found.take()) to.emplace_back(std::move(f.reason), std::move(f.message), std::move(f.field));
}

/// Reports a value that is not one of `known`.
void check_value(std::string_view value, text_values known, std::string const& field, causes& found) {
    if (std::ranges::find(known, value) != known.end()) return;
    field_faults wrong;
    if (value.empty())
        wrong.required(field, "valid values: [" + joined(known, " ", go_text::quoted) + "]");
    else
        wrong.unsupported(field, value, known);
    add(found, std::move(wrong));
}

/// A fault of a whole, which upstream does not print.
void invalid(causes& found, std::string field, std::string_view why) {
    found.emplace_back("FieldValueInvalid", "Invalid value: " + std::string(why), std::move(field));
}

std::set<std::string_view> container_names(json::object const& spec) {
    std::set<std::string_view> names;
    auto const* from = object_in(spec, "template");
    auto const* pods = from != nullptr ? object_in(*from, "spec") : nullptr;
    for (auto const* list : {"containers", "initContainers"})
        if (auto const* all = pods != nullptr ? array_in(*pods, list) : nullptr)
            for (auto const& c : *all)
                if (c.is_object()) names.insert(text_in(c.get_object(), "name"));
    return names;
}

std::string item(std::string_view list, std::size_t i) {
    return std::string(list).append("[").append(std::to_string(i)).append("]");
}

void check_codes(json::object const& requirement, std::string const& at, causes& found) {
    auto const field = at + ".values";
    auto const* list = array_in(requirement, "values");
    std::vector<std::int64_t> codes;
    if (list != nullptr)
        for (auto const& v : *list) codes.push_back(v.is_int64() ? v.get_int64() : 0);
    std::string printed = list == nullptr ? "[]int32(nil)" : "[]int32{";
    for (auto const code : codes) printed.append(printed.back() == '{' ? "" : ", ").append(std::to_string(code));
    if (list != nullptr) printed += "}";
    if (codes.empty()) invalid(found, field, printed, "at least one value is required");
    if (codes.size() > most_codes) found.push_back(too_many(codes.size(), most_codes, field));
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        auto const code = std::to_string(codes[i]);
        if (codes[i] == 0 && text_in(requirement, "operator") == "In")
            invalid(found, item(field, i), code, "must not be 0 for the In operator");
        if (!seen.insert(codes[i]).second)
            found.emplace_back("FieldValueDuplicate", "Duplicate value: " + code, item(field, i));
    }
    if (!std::ranges::is_sorted(codes)) invalid(found, field, printed, "must be ordered");
}

void check_exit_codes(json::object const& requirement, std::set<std::string_view> const& names, std::string const& at,
                      causes& found) {
    check_value(text_in(requirement, "operator"), operators, at + ".operator", found);
    auto const* name = requirement.if_contains("containerName");
    auto const* text = name != nullptr ? name->if_string() : nullptr;
    if (text != nullptr && !names.contains(view(*text)))
        invalid(found, at + ".containerName", go_text::quoted(view(*text)),
                "must be one of the container or initContainer names in the pod template");
    check_codes(requirement, at, found);
}

void check_conditions(json::array const& patterns, std::string const& at, causes& found) {
    if (patterns.size() > most_patterns) found.push_back(too_many(patterns.size(), most_patterns, at));
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        auto const* pattern = patterns[i].if_object();
        if (pattern == nullptr) continue;
        auto const type = text_in(*pattern, "type");
        field_faults wrong;
        wrong.invalid_text(item(at, i) + ".type", type, label_key_faults(type));
        add(found, std::move(wrong));
        check_value(text_in(*pattern, "status"), truths, item(at, i) + ".status", found);
    }
}

void check_failure_rule(json::object const& spec, json::object const& rule, std::set<std::string_view> const& names,
                        std::string const& at, causes& found) {
    auto const action = text_in(rule, "action");
    if (action == "FailIndex" && !integer_in(spec, "backoffLimitPerIndex"))
        invalid(found, at + ".action", go_text::quoted(action), "requires the backoffLimitPerIndex to be set");
    check_value(action, actions, at + ".action", found);
    auto const* codes = object_in(rule, "onExitCodes");
    auto const* conditions = array_in(rule, "onPodConditions");
    bool const conditional = conditions != nullptr && !conditions->empty();
    if (codes != nullptr) check_exit_codes(*codes, names, at + ".onExitCodes", found);
    if (conditional) check_conditions(*conditions, at + ".onPodConditions", found);
    if (codes != nullptr && conditional)
        invalid(found, at, "specifying both OnExitCodes and OnPodConditions is not supported");
    if (codes == nullptr && !conditional)
        invalid(found, at, "specifying one of OnExitCodes and OnPodConditions is required");
}

/// How many indexes a text as `1,3-5` names; -1 with the reason if it is none.
std::int64_t count_indexes(std::string_view text, std::int64_t completions, std::string& why) {
    std::int64_t total = 0;
    std::optional<std::int64_t> last;
    auto const out_of_order = [&](std::int64_t before, std::int64_t now) {
        why = "non-increasing order, previous: " + std::to_string(before) + ", current: " + std::to_string(now);
        return -1;
    };
    while (!text.empty()) {
        auto const comma = std::min(text.find(','), text.size());
        auto const part = text.substr(0, comma);
        if (std::ranges::count(part, '-') > 1) {
            why = "the fragment " + go_text::quoted(part) +
                  " violates the requirement that an index interval can have at most two parts separated by '-'";
            return -1;
        }
        auto const dash = std::min(part.find('-'), part.size());
        std::vector<std::int64_t> ends;
        for (auto const value : {part.substr(0, dash), part.substr(std::min(dash + 1, part.size()))}) {
            if (ends.size() == 1 && dash == part.size()) break;
            auto const number = read_whole_number<std::int64_t>(value);
            if (!number)
                why = "cannot convert string to integer for index: " + go_text::quoted(value);
            else if (*number >= completions)
                why = "too large index: " + go_text::quoted(value);
            if (!why.empty()) return -1;
            ends.push_back(*number);
        }
        if (ends.size() == 2 && ends[0] >= ends[1]) return out_of_order(ends[0], ends[1]);
        if (last && *last >= ends.front()) return out_of_order(*last, ends.front());
        total += ends.back() - ends.front() + 1;
        last = ends.back();
        if (comma + 1 == text.size()) why = "cannot convert string to integer for index: \"\"";
        if (!why.empty()) return -1;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return total;
}

void check_success_rule(json::object const& rule, std::int64_t completions, std::string const& at, causes& found) {
    auto const* indexes = rule.if_contains("succeededIndexes");
    auto const* text = indexes != nullptr ? indexes->if_string() : nullptr;
    auto const count = integer_in(rule, "succeededCount");
    if (text == nullptr && !count)
        found.emplace_back("FieldValueRequired",
                           "Required value: at least one of succeededCount or succeededIndexes must be specified", at);
    std::int64_t named = 0;
    if (text != nullptr) {
        auto const field = at + ".succeededIndexes";
        if (text->size() > longest_indexes)
            found.emplace_back("FieldValueTooLong", "Too long: must have at most 65536 bytes", field);
        std::string why;
        named = std::max<std::int64_t>(count_indexes(view(*text), completions, why), 0);
        if (!why.empty()) invalid(found, field, go_text::quoted(view(*text)), "error parsing succeededIndexes: " + why);
    }
    if (!count) return;
    auto const field = at + ".succeededCount";
    auto const printed = std::to_string(*count);
    auto const limit = [](std::int64_t n) { return "must be less than or equal to " + std::to_string(n); };
    if (*count < 0) invalid(found, field, printed, "must be greater than or equal to 0");
    if (*count > completions)
        invalid(found, field, printed, limit(completions) + " (the number of specified completions)");
    if (text != nullptr && *count > named)
        invalid(found, field, printed,
                limit(named) + " (the number of indexes in the specified succeededIndexes field)");
}

void check_success(json::object const& spec, json::object const& policy, causes& found) {
    if (text_in(spec, "completionMode") != "Indexed")
        return invalid(found, "spec.successPolicy", json::serialize(policy), "requires indexed completion mode");
    std::string const at = "spec.successPolicy.rules";
    auto const* rules = array_in(policy, "rules");
    if (rules == nullptr || rules->empty()) {
        found.emplace_back("FieldValueRequired",
                           "Required value: at least one rules must be specified when the successPolicy is specified",
                           at);
        return;
    }
    if (rules->size() > most_rules) found.push_back(too_many(rules->size(), most_rules, at));
    auto const completions = integer_in(spec, "completions");
    if (!completions) return; // reported elsewhere; upstream crashes
    for (std::size_t i = 0; i < rules->size(); ++i)
        if (auto const* rule = (*rules)[i].if_object()) check_success_rule(*rule, *completions, item(at, i), found);
}

/// Checks the policies for failed pods, for success and for replacement. `spec` is that of the Job.
causes check_job_policies(json::object const& spec) {
    causes found;
    auto const* failures = object_in(spec, "podFailurePolicy");
    if (failures != nullptr) {
        std::string const at = "spec.podFailurePolicy.rules";
        json::array const none;
        auto const* given = array_in(*failures, "rules");
        auto const& rules = given != nullptr ? *given : none;
        if (rules.size() > most_rules) found.push_back(too_many(rules.size(), most_rules, at));
        auto const names = container_names(spec);
        for (std::size_t i = 0; i < rules.size(); ++i)
            if (auto const* rule = rules[i].if_object()) check_failure_rule(spec, *rule, names, item(at, i), found);
    }
    if (auto const* success = object_in(spec, "successPolicy")) check_success(spec, *success, found);
    if (auto const replaced = text_in(spec, "podReplacementPolicy"); !replaced.empty())
        check_value(replaced, text_values(replacements).first(failures != nullptr ? 1 : 2), "spec.podReplacementPolicy",
                    found);
    return found;
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
