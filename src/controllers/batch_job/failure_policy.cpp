#include "controllers/batch_job/failure_policy.hpp"

#include <algorithm>

namespace kftrain::controllers::batch_jobs {
namespace {

bool matches(batch::pod_failure_policy_on_exit_codes_requirement const& wanted, core::container_status const& c) {
    if (!c.state.terminated || c.state.terminated->exit_code == 0) return false;
    if (wanted.container_name && *wanted.container_name != c.name) return false;
    bool const listed = std::ranges::find(wanted.values, c.state.terminated->exit_code) != wanted.values.end();
    if (wanted.operator_ == "In") return listed;
    return wanted.operator_ == "NotIn" && !listed;
}

core::container_status const* matching(batch::pod_failure_policy_on_exit_codes_requirement const& wanted,
                                       pod const& p) {
    for (auto const* list : {&p.status.container_statuses, &p.status.init_container_statuses})
        for (auto const& c : *list)
            if (matches(wanted, c)) return &c;
    return nullptr;
}

core::pod_condition const* matching(std::vector<batch::pod_failure_policy_on_pod_conditions_pattern> const& wanted,
                                    pod const& p) {
    for (auto const& c : p.status.conditions)
        for (auto const& pattern : wanted)
            if (c.type == pattern.type && c.status == pattern.status) return &c;
    return nullptr;
}

/// Why a rule matches; empty if it does not.
std::string match(batch::pod_failure_policy_rule const& rule, pod const& p) {
    auto const name = p.metadata.namespace_ + "/" + p.metadata.name;
    if (rule.on_exit_codes) {
        auto const* c = matching(*rule.on_exit_codes, p);
        if (c == nullptr) return {};
        return "Container " + c->name + " for pod " + name + " failed with exit code " +
               std::to_string(c->state.terminated->exit_code);
    }
    auto const* c = matching(rule.on_pod_conditions, p);
    return c == nullptr ? std::string() : "Pod " + name + " has condition " + c->type;
}

} // namespace

failure_verdict judge_failed_pod(batch::job const& job, pod const& p) {
    failure_verdict verdict;
    if (!job.spec.pod_failure_policy) return verdict;
    auto const& all = job.spec.pod_failure_policy->rules;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto why = match(all[i], p);
        auto const& action = all[i].action;
        // Without limits of its own an index cannot fail, and the rule is as if it were not there.
        bool const fails_index = action == "FailIndex" && job.spec.backoff_limit_per_index;
        if (why.empty() || !(action == "Ignore" || action == "Count" || action == "FailJob" || fails_index)) continue;
        verdict.counts = action != "Ignore";
        verdict.fails_index = fails_index;
        if (action == "FailJob")
            verdict.fails_job = why.append(" matching FailJob rule at index ").append(std::to_string(i));
        break;
    }
    return verdict;
}

bool fails_its_index(batch::job const& job, pod const& p) {
    if (!has_failed(p, job)) return false;
    auto const verdict = judge_failed_pod(job, p);
    if (verdict.fails_index) return true;
    return verdict.counts && counted(p, failure_count_key) >= job.spec.backoff_limit_per_index.value_or(0);
}

std::optional<std::string> success_by_policy(batch::job const& job, index_set const& succeeded) {
    if (!job.spec.success_policy || succeeded.empty()) return std::nullopt;
    auto const& all = job.spec.success_policy->rules;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const& rule = all[i];
        bool holds = false;
        if (rule.succeeded_indexes) {
            auto const wanted = index_set::parse(*rule.succeeded_indexes, completions_of(job).value_or(0));
            auto const found = wanted.common(succeeded);
            holds =
                !wanted.empty() && (found == wanted.size() || (rule.succeeded_count && found >= *rule.succeeded_count));
        } else {
            holds = rule.succeeded_count && succeeded.size() >= *rule.succeeded_count;
        }
        if (holds) return "Matched rules at index " + std::to_string(i);
    }
    return std::nullopt;
}

failure_record::failure_record(failure_record const& before, pod_list const& succeeded, pod_list const& failed)
    : failures_(before.failures_), last_(before.last_) {
    auto later_than = time_point::min();
    if (!succeeded.empty()) {
        failures_ = 0;
        last_ = {};
        for (auto const* p : succeeded) later_than = std::max(later_than, finished_at(*p));
    }
    bool first = true;
    for (auto const* p : failed) {
        auto const at = finished_at(*p);
        if (!succeeded.empty() && at <= later_than) continue;
        ++failures_;
        last_ = first ? at : std::max(last_, at);
        first = false;
    }
}

time_point failure_record::ready_after(std::int32_t failures, time_point last) noexcept {
    constexpr std::chrono::seconds initial{10}, longest{360};
    if (failures == 0) return time_point::min();
    auto wait = initial;
    for (std::int32_t i = 1; i < failures && wait < longest; ++i) wait = std::min(wait * 2, longest);
    return last + wait;
}

} // namespace kftrain::controllers::batch_jobs
