#include "controllers/job_set/failure_policy.hpp"

#include "controllers/job_set/children.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>

namespace kftrain::controllers::job_sets {
namespace {

batch::job const& first_of(job_list const& jobs) {
    return **std::ranges::min_element(
        jobs, {}, [](batch::job const* job) { return end_of(*job)->last_transition_time.value_or(time_point::max()); });
}

job_list matching(jobset::failure_policy_rule const& rule, job_list const& failed) {
    job_list found;
    if (!rule.on_job_failure_message_patterns.empty()) return found;
    auto const in = [](std::vector<std::string> const& list, std::string_view text) {
        return list.empty() || std::ranges::find(list, text) != list.end();
    };
    for (auto const* job : failed)
        if (in(rule.on_job_failure_reasons, end_of(*job)->reason) &&
            in(rule.target_replicated_jobs, label_of(job->metadata, entry_key)))
            found.push_back(job);
    return found;
}

failure_response failure_of(std::string_view reason, std::string_view message) {
    failure_response r;
    r.reason = reason;
    r.message = message;
    return r;
}

} // namespace

batch::job_condition const* end_of(batch::job const& job) noexcept {
    for (auto const* const type : {"Complete", "Failed"})
        if (is_true(job.status.conditions, type)) return condition_of(job.status.conditions, type);
    return nullptr;
}

failure_response respond_to_failure(jobset::job_set const& set, job_list const& failed) {
    auto const& policy = set.spec.failure_policy;
    jobset::failure_policy_rule const* rule = nullptr;
    auto considered = failed;
    if (policy)
        for (auto const& r : policy->rules)
            if (auto found = matching(r, failed); !found.empty()) {
                rule = &r;
                considered = std::move(found);
                break;
            }
    std::string const action = rule != nullptr ? rule->action : "RestartJobSet";
    bool const counted = !action.ends_with("AndIgnoreMaxRestarts");

    failure_response response;
    if (!policy) {
        response = failure_of("FailedJobs", "jobset failed due to one or more job failures");
    } else if (action == "FailJobSet") {
        response = failure_of("FailJobSetFailurePolicyAction", "applying FailJobSet failure policy action");
    } else if (counted && set.status.restarts_count_towards_max >= policy->max_restarts) {
        response = failure_of("ReachedMaxRestarts", "jobset failed due to reaching max number of restarts");
    } else {
        std::string const done = counted ? "RestartJobSet" : "RestartJobSetAndIgnoreMaxRestarts";
        response.restarts = true;
        response.counted = counted;
        response.reason = rule != nullptr ? "FailurePolicy_" + rule->name : "DefaultFailurePolicy";
        response.event = done + "FailurePolicyAction";
        response.message = "applying " + done + " failure policy action";
    }
    response.message += " (first failed job: " + first_of(considered).metadata.name + ")";
    return response;
}

} // namespace kftrain::controllers::job_sets
