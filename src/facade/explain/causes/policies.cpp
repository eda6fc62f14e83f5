#include "base/is_one_of.hpp"
#include "base/joined.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/explain/kueue_workload.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>

// Limits, policies and suspension of the job; and jobs without any other cause.
namespace kftrain::explaining {
namespace {

/// The condition by which a job failed, if its reason or message contains one of the texts.
meta::condition const* failed_by(findings const& f, std::initializer_list<std::string_view> texts) {
    for (auto const& c : f.conditions)
        if (c.status == "True" && (contains_any(c.reason, texts) || contains_any(c.message, texts))) return &c;
    return nullptr;
}

/// The last action that a policy of the job caused, and not a command of a user; empty: none did.
std::string policy_action(findings const& f) {
    constexpr std::string_view key = "action ";
    std::string action;
    for (auto const& e : f.evidence.events) {
        if (e.reason == "CommandIssued") return {};
        auto const at = e.message.find(key);
        if (e.reason != "ExecuteAction" || at == std::string::npos) continue;
        auto const rest = std::string_view(e.message).substr(at + key.size());
        action = std::string(rest.substr(0, rest.find(' ')));
    }
    return action;
}

/// Adds the actions that policies of the job caused.
void add_policy_actions(job_cause& c, findings const& f) {
    for (auto const& e : f.evidence.events)
        if (e.reason == "ExecuteAction" || e.reason == "CommandIssued") add_evidence(c, e);
}

/// ` after PodEvicted`, the events of the policies with this action, and what they mean.
std::string after_events(findings const& f, std::string const& action) {
    std::vector<std::string> events;
    for (auto const& t : f.evidence.job.policies().triggers)
        if (t.action == action) events.push_back(t.event);
    if (events.empty()) return {};
    return " after " + joined(events, ", ") +
           (is_one_of("PodEvicted", events) ? "; PodEvicted also means that a pod was deleted" : "");
}

/// A job whose status counts its restarts, and that failed because it may not restart again.
void find_used_retries(findings const& f, found_causes& found) {
    auto const retries = f.evidence.job.policies().restarts;
    if (!retries || f.phase != job_phase::failed || retries->done < retries->limit) return;
    auto& c = add_cause(found, f, cause_kind::backoff_limit, {});
    c.cause.summary = "The job failed because it was restarted or resumed as often as it may be: retryCount is " +
                      std::to_string(retries->done) + ", maxRetry is " + std::to_string(retries->limit);
    add_policy_actions(c.cause, f);
    c.cause.advice = "Fix the cause of the restarts, and submit the job again. Each resumption of a suspended job "
                     "counts as a retry, too: set a higher maxRetry if you suspend it often.";
}

} // namespace

void find_backoff_limit(findings const& f, found_causes& found) {
    auto const* const failed_condition = failed_by(f, {"BackoffLimitExceeded", "backoff limit"});
    job_event const* event = nullptr;
    for (auto const& e : f.evidence.events)
        if (e.reason == "BackoffLimitExceeded" || contains_any(e.message, {"reached the specified backoff limit"}))
            event = &e;
    if (failed_condition == nullptr && (event == nullptr || !f.finished())) {
        find_used_retries(f, found);
        return;
    }
    auto& c = add_cause(found, f, cause_kind::backoff_limit, {});
    c.cause.summary = "The job failed because it reached its back-off limit";
    if (failed_condition != nullptr) add_evidence(c.cause, *failed_condition);
    if (event != nullptr) add_evidence(c.cause, *event);
    for (auto const& e : f.evidence.events)
        if (e.reason == "ExitedWithCode") add_evidence(c.cause, e);
    c.cause.advice = "Fix the cause of the failures.";
    if (f.evidence.job.policies().has_backoff_limit)
        c.cause.advice += " Raise backoffLimit only if the causes are outside of the job.";
}

void find_deadline(findings const& f, found_causes& found) {
    auto const* const failed_condition = failed_by(f, {"DeadlineExceeded", "active longer than specified deadline"});
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.pods[i] != nullptr && f.pods[i]->status.reason == "DeadlineExceeded") members.push_back(i);
    if (failed_condition == nullptr && members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::deadline, members);
    c.cause.summary = failed_condition != nullptr
                          ? "The job was active for longer than its activeDeadlineSeconds"
                          : f.names_of(members) + " ran for longer than the activeDeadlineSeconds of the pod";
    if (failed_condition != nullptr) add_evidence(c.cause, *failed_condition);
    for (auto const m : members)
        add_evidence(c.cause, "pod " + f.pods[m]->metadata.name + ": " + f.pods[m]->status.reason + ", " +
                                  f.pods[m]->status.message);
    // Its pods may no longer exist; then only events show why they did not run.
    for (auto const& e : f.evidence.events)
        if (e.type == "Warning" &&
            (e.reason == "FailedScheduling" || e.reason == "FailedCreate" || e.reason == "FailedMount" ||
             e.reason == "FailedCreatePod" || e.reason == "BackOff"))
            add_evidence(c.cause, e);
    c.cause.advice =
        "Raise activeDeadlineSeconds if the work takes this long. The time in which pods wait for nodes counts, too.";
}

void find_suspended(findings const& f, found_causes& found) {
    if (f.finished() || !f.suspended) return;
    auto& c = add_cause(found, f, cause_kind::suspended, {});
    std::size_t left = 0;
    for (auto const* p : f.pods) left += p != nullptr ? 1 : 0;
    c.cause.summary = "The job is suspended";
    if (left != 0) c.cause.summary += "; " + counted(left, "pod") + (left == 1 ? " still exists" : " still exist");
    if (auto const action = policy_action(f); action == "AbortJob")
        c.cause.summary += ": a policy executed " + action + after_events(f, action);
    if (auto const* const held = f.holding("Suspended")) add_evidence(c.cause, *held);
    add_policy_actions(c.cause, f);
    auto const retries = f.evidence.job.policies().restarts;
    if (retries && retries->done + 1 >= retries->limit) {
        add_evidence(c.cause, "status.retryCount is " + std::to_string(retries->done) + ", and maxRetry is " +
                                  std::to_string(retries->limit));
        c.cause.advice = "Submit the job again instead of resuming it: a resumption counts as a retry, and the job "
                         "fails when retryCount reaches maxRetry.";
        return;
    }
    auto const queue = kueue_queue(*f.evidence.job);
    if (queue.empty()) {
        c.cause.advice = "Resume the job when it should run.";
    } else if (f.evidence.workload) {
        report_workload(c.cause, queue, *f.evidence.workload);
    } else if (!f.evidence.kueue_served) {
        c.cause.summary += ", and its label names queue " + queue + " of Kueue, which this cluster does not have";
        c.cause.advice = "Install Kueue, or resume the job without it.";
    } else {
        c.cause.advice = "Kueue resumes the job when its queue " + queue + " has room. Check the Workload of the job.";
    }
}

void find_rest(findings const& f, found_causes& found) {
    if (f.phase == job_phase::failed) {
        auto const explains_failure = [](found_cause const& c) {
            return c.cause.kind != cause_kind::healthy && c.cause.kind != cause_kind::suspended;
        };
        if (std::ranges::any_of(found, explains_failure)) return;
        auto& c = add_cause(found, f, cause_kind::exited, {});
        c.cause.summary = "The job failed, but the cause is no longer visible";
        if (auto const action = policy_action(f); !action.empty())
            c.cause.summary = "The job ended because a policy executed " + action + after_events(f, action);
        for (auto const& o : f.conditions)
            if (o.status == "True") add_evidence(c.cause, o);
        for (auto const& e : f.evidence.events)
            if (e.type == "Warning" || e.reason == "ExitedWithCode") add_evidence(c.cause, e);
        add_policy_actions(c.cause, f);
        for (auto const& e : f.evidence.events)
            if (e.reason == "SuccessfulDeletePod" || e.reason == "Killing") add_evidence(c.cause, e);
        c.cause.advice = "Look for the logs of its pods in the log storage of the cluster.";
        if (f.evidence.job.policies().clean_up)
            c.cause.advice += " With cleanPodPolicy None, pods stay after the job ends.";
        return;
    }
    if (!found.empty()) return;
    auto& c = add_cause(found, f, cause_kind::healthy, {});
    std::size_t running = 0, done = 0;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        running += f.runs(i) ? 1 : 0;
        done += f.succeeded(i) ? 1 : 0;
    }
    auto const& metadata = f.evidence.job->metadata();
    if (f.phase == job_phase::succeeded)
        c.cause.summary = "The job has succeeded";
    else if (metadata.deletion_timestamp)
        c.cause.summary = "The job is being deleted";
    else if (!f.evidence.pods_known || f.pods.empty())
        c.cause.summary = "No problem was found";
    else
        c.cause.summary = "No problem was found: " + std::to_string(running) + " of " +
                          counted(f.pods.size(), "replica") + (running == 1 ? " runs" : " run") +
                          (done == 0 ? "" : ", " + std::to_string(done) + " succeeded");
    if (metadata.deletion_timestamp)
        for (auto const& name : metadata.finalizers) add_evidence(c.cause, "finalizer " + name + " keeps it");
}

} // namespace kftrain::explaining
