#include "controllers/batch_job/failure_policy.hpp"
#include "controllers/batch_job/pass.hpp"
#include "model/rules/deadline_after.hpp"

#include <algorithm>

// Whether a Job is to end, and why.
namespace kftrain::controllers::batch_jobs {

batch::job_condition pass::condition(std::string type, std::string reason, std::string message) const {
    batch::job_condition c;
    c.type = std::move(type);
    c.status = "True";
    c.last_probe_time = look_.now;
    c.last_transition_time = look_.now;
    c.reason = std::move(reason);
    c.message = std::move(message);
    return c;
}

/// A condition that never held is not written down as one that does not.
bool pass::set_condition(std::string const& type, bool holds, std::string const& reason, std::string const& message) {
    auto made = condition(type, reason, message);
    if (!holds) made.status = "False";
    auto& all = next_.status.conditions;
    auto const at = std::ranges::find(all, type, &batch::job_condition::type);
    if (at == all.end()) {
        if (holds) all.push_back(std::move(made));
        return holds;
    }
    if (at->status == made.status && at->reason == reason && at->message == message) return false;
    *at = std::move(made);
    return true;
}

bool pass::past_restarts() const {
    if (job_.spec.template_.spec.restart_policy != "OnFailure") return false;
    std::int64_t restarts = 0;
    for (auto const* p : pods_) {
        if (p->status.phase != "Running" && p->status.phase != "Pending") continue;
        for (auto const* list : {&p->status.init_container_statuses, &p->status.container_statuses})
            for (auto const& c : *list) restarts += c.restart_count;
    }
    auto const limit = backoff_limit_of(job_);
    return limit == 0 ? restarts > 0 : restarts >= limit;
}

/// The last failed pod of each index that has no replacement yet: the next pod takes its count of failures.
void pass::find_delayed() {
    index_set present;
    for (auto const* p : active_)
        if (auto const index = index_of(*p)) present.add(*index);
    auto const failures = [](pod const& p) {
        return counted(p, failure_count_key) + counted(p, ignored_failure_count_key);
    };
    for (auto const* p : pods_) {
        if (!is_tracked(*p) || !has_failed(*p, job_) || !index_of(*p) || !has_valid_index(*p, job_)) continue;
        auto const index = *index_of(*p);
        if (succeeded_indexes_.has(index) || failed_indexes_.has(index) || present.has(index)) continue;
        auto& last = delayed_[index];
        if (last == nullptr || (failures(*last) <= failures(*p) && finished_at(*last) <= finished_at(*p))) last = p;
    }
}

std::optional<batch::job_condition> pass::verdict_of_indexes() const {
    auto const failed = failed_indexes_.size();
    if (job_.spec.max_failed_indexes && failed > *job_.spec.max_failed_indexes)
        return condition("FailureTarget", "MaxFailedIndexesExceeded",
                         "Job has exceeded the specified maximal number of failed indexes");
    if (failed > 0 && failed + succeeded_indexes_.size() >= completions_of(job_).value_or(0))
        return condition("FailureTarget", "FailedIndexes", "Job has failed indexes");
    return std::nullopt;
}

std::optional<batch::job_condition> pass::verdict() {
    std::optional<batch::job_condition> ending;
    for (auto const* type : {"SuccessCriteriaMet", "FailureTarget"})
        if (auto const* met = holding(job_, type); met != nullptr && !ending) ending = *met;
    for (auto const* p : pods_) {
        if (ending || !job_.spec.pod_failure_policy) break;
        if (!has_failed(*p, job_)) continue;
        auto const why = judge_failed_pod(job_, *p).fails_job;
        if (!why.empty()) ending = condition("FailureTarget", "PodFailurePolicy", why);
    }
    if (!ending && (failed_ > backoff_limit_of(job_) || past_restarts()))
        ending = condition("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    if (!ending && job_.spec.active_deadline_seconds && next_.status.start_time && !is_suspended(job_)) {
        auto const deadline = deadline_after(*next_.status.start_time, *job_.spec.active_deadline_seconds);
        if (look_.now >= deadline)
            ending = condition("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline");
        else
            requeue_by(deadline);
    }
    if (!is_indexed(job_)) return ending;
    if (job_.spec.backoff_limit_per_index) {
        if (!ending) ending = verdict_of_indexes();
        find_delayed();
    }
    if (!ending)
        if (auto const why = success_by_policy(job_, succeeded_indexes_))
            ending = condition("SuccessCriteriaMet", "SuccessPolicy", *why);
    return ending;
}

} // namespace kftrain::controllers::batch_jobs
