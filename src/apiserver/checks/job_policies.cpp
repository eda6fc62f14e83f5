#include "apiserver/checks/builtin_checks.hpp"

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/schema/field_faults.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>

namespace kftrain::apiserver {
namespace {

using causes = std::vector<refusal_cause>;
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

void invalid(causes& found, std::string field, std::string_view printed, std::string_view why) {
    field_faults wrong;
    wrong.invalid(std::move(field), printed, why);
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
    auto const text_of = [](std::int64_t code) { return std::to_string(code); };
    auto const printed = list == nullptr ? "[]int32(nil)" : "[]int32{" + joined(codes, ", ", text_of) + "}";
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

} // namespace

refusal_cause too_many(std::size_t items, std::size_t most, std::string field) {
    return {"FieldValueTooMany",
            "Too many: " + std::to_string(items) + ": must have at most " + std::to_string(most) + " items",
            std::move(field)};
}

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

} // namespace kftrain::apiserver
