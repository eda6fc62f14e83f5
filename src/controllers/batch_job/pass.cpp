#include "controllers/batch_job/pass.hpp"

#include "controllers/batch_job/failure_policy.hpp"

#include <algorithm>
#include <set>

namespace kftrain::controllers::batch_jobs {
namespace {

constexpr rules::event_messages deletion{"SuccessfulDelete", "Deleted pod: {}", "FailedDelete", "Error deleting: {}"};

} // namespace

pass::pass(rules::look<batch::job> const& look) : look_(look), job_(look.object), next_(look.object) {
    auto& noted = next_.status.uncounted_terminated_pods;
    if (!noted) noted.emplace();
    std::set<std::string_view> const succeeded(noted->succeeded.begin(), noted->succeeded.end());
    std::set<std::string_view> const failed(noted->failed.begin(), noted->failed.end());
    for (auto const& p : look.world.of<pod>("pods")) {
        pods_.push_back(&p);
        if (is_active(p)) active_.push_back(&p);
        if (is_active(p) && is_ready(p)) ++ready_;
        if (is_terminating(p)) ++terminating_;
        if (!is_tracked(p) || !has_valid_index(p, job_)) continue;
        auto const& uid = p.metadata.uid;
        if (p.status.phase == "Succeeded" && !succeeded.contains(uid)) new_succeeded_.push_back(&p);
        if (has_failed(p, job_) && !failed.contains(uid)) new_failed_.push_back(&p);
    }
    auto const size = [](auto const& list) { return static_cast<std::int64_t>(list.size()); };
    active_count_ = size(active_);
    succeeded_ = job_.status.succeeded + size(new_succeeded_) + size(noted->succeeded);
    failed_ = job_.status.failed + size(noted->failed) +
              std::ranges::count_if(new_failed_, [&](auto const* p) { return judge_failed_pod(job_, *p).counts; });
    failure_record before;
    if (auto const* r = dynamic_cast<failure_record const*>(look.remembered.get())) before = *r;
    record_ = failure_record(before, new_succeeded_, new_failed_);

    if (!is_indexed(job_)) return;
    auto const end = completions_of(job_).value_or(0);
    counted_indexes_ = index_set::parse(job_.status.completed_indexes, end);
    succeeded_indexes_ = counted_indexes_;
    failed_indexes_ = index_set::parse(job_.status.failed_indexes.value_or(""), end);
    for (auto const* p : pods_) {
        if (!is_tracked(*p) || !index_of(*p) || !has_valid_index(*p, job_)) continue;
        if (p->status.phase == "Succeeded") succeeded_indexes_.add(*index_of(*p));
        if (job_.spec.backoff_limit_per_index && fails_its_index(job_, *p)) failed_indexes_.add(*index_of(*p));
    }
    succeeded_ = succeeded_indexes_.size();
}

void pass::requeue_by(time_point t) { requeue_at_ = std::min(requeue_at_.value_or(t), t); }

/// `counted`: their finalizer stays until they are.
void pass::remove_pods(pod_list pods, bool counted) {
    if (pods.empty()) return;
    rules::step free, gone;
    free.side_by_side = gone.side_by_side = true;
    for (auto const* p : pods) {
        if (!counted && is_tracked(*p)) free.actions.emplace_back(untracked(*p));
        gone.actions.emplace_back(rules::remove(rules::target(pod::resource, p->metadata), deletion));
        --active_count_;
        ++terminating_;
        if (is_ready(*p)) --ready_;
    }
    if (!free.actions.empty()) steps_.push_back(std::move(free));
    steps_.push_back(std::move(gone));
}

/// Active pods that nobody needs: those without a valid index of their own, and others until there are so many.
pod_list pass::surplus(std::int64_t least) const {
    pod_list going, left = active_;
    if (is_indexed(job_)) {
        std::map<std::int32_t, pod_list> by_index;
        for (auto const* p : active_)
            if (index_of(*p) && has_valid_index(*p, job_))
                by_index[*index_of(*p)].push_back(p);
            else
                going.push_back(p);
        left.clear();
        for (auto& [index, pods] : by_index) {
            sort_for_removal(pods);
            going.insert(going.end(), pods.begin(), pods.end() - 1);
            left.push_back(pods.back());
        }
    }
    auto const more = std::clamp<std::int64_t>(least - static_cast<std::int64_t>(going.size()), 0,
                                               static_cast<std::int64_t>(left.size()));
    sort_for_removal(left);
    going.insert(going.end(), left.begin(), left.begin() + more);
    return going;
}

void pass::manage() {
    if (is_suspended(job_)) return remove_pods(surplus(active_count_), false);
    std::int64_t wanted = parallelism_of(job_);
    if (auto const completions = completions_of(job_))
        wanted = std::clamp<std::int64_t>(*completions - succeeded_, 0, wanted);
    else if (succeeded_ > 0)
        wanted = active_count_; // one success is enough, and the others may end as they are
    auto going = surplus(std::max<std::int64_t>(active_count_ - wanted, 0));
    if (going.size() > most_per_plan) going.resize(most_per_plan);
    if (!going.empty()) return remove_pods(std::move(going), false);
    auto const missing = wanted - active_count_ - (replaces_failed_only(job_) ? terminating_ : 0);
    if (missing <= 0) return;
    auto made = new_pods(missing);
    if (made.empty()) return;
    auto& step = steps_.emplace_back();
    step.side_by_side = true;
    step.actions = std::move(made);
    active_count_ += static_cast<std::int64_t>(step.actions.size());
}

void pass::suspend_or_resume() {
    if (is_suspended(job_)) {
        // A deadline is about time that the Job is not suspended: else it might end a Job that is resumed.
        next_.status.start_time.reset();
        if (set_condition("Suspended", true, "JobSuspended", "Job suspended"))
            events_.emplace_back(rules::emit_event("Normal", "Suspended", "Job suspended"));
        return;
    }
    if (!set_condition("Suspended", false, "JobResumed", "Job resumed")) return;
    events_.emplace_back(rules::emit_event("Normal", "Resumed", "Job resumed"));
    next_.status.start_time = look_.now;
}

/// The interim condition is written first, so that no pod that is let go can change the verdict.
void pass::end_if_all_is_counted(bool pods_remain) {
    if (!ending_) return;
    if (holding(job_, ending_->type) == nullptr) {
        next_.status.conditions.push_back(*ending_);
        return;
    }
    auto const& noted = *next_.status.uncounted_terminated_pods;
    if (pods_remain || !noted.succeeded.empty() || !noted.failed.empty() || *next_.status.terminating > 0) return;
    bool const complete = ending_->type == "SuccessCriteriaMet";
    set_condition(complete ? "Complete" : "Failed", true, ending_->reason, ending_->message);
    if (!complete) {
        events_.emplace_back(rules::emit_event("Warning", ending_->reason, ending_->message));
        return;
    }
    next_.status.completion_time = look_.now;
    if (auto const wanted = completions_of(job_); wanted && next_.status.succeeded > *wanted)
        events_.emplace_back(rules::emit_event("Warning", "TooManySucceededPods",
                                               "Too many succeeded pods running after completion count reached"));
    events_.emplace_back(rules::emit_event("Normal", "Completed", "Job completed"));
}

rules::plan pass::make() {
    if (!job_.status.start_time && !is_suspended(job_)) next_.status.start_time = look_.now;
    ending_ = verdict();
    if (ending_) {
        remove_pods(active_, true);
    } else {
        bool const lives = !job_.metadata.deletion_timestamp;
        if (lives) manage();
        auto const completions = completions_of(job_);
        bool const reached = completions ? succeeded_ >= *completions : succeeded_ > 0;
        if (reached && active_count_ == 0)
            ending_ =
                condition("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
        else if (lives)
            suspend_or_resume();
    }
    // If pods cannot be created, the status reports what is true without them.
    batch::job honest = job_;
    if (events_.empty()) honest.status.start_time = next_.status.start_time;
    honest.status.active = static_cast<std::int32_t>(active_.size());
    honest.status.ready = static_cast<std::int32_t>(ready_);
    honest.status.terminating = static_cast<std::int32_t>(terminating_);
    bool const makes = !steps_.empty() && std::holds_alternative<rules::create>(steps_.back().actions.front());
    if (makes && !(honest.status == job_.status)) steps_.back().refused = rules::write_status(std::move(honest));

    next_.status.active = static_cast<std::int32_t>(active_count_);
    next_.status.ready = static_cast<std::int32_t>(ready_);
    next_.status.terminating = static_cast<std::int32_t>(terminating_);
    // Upstream counts a pod when its finalizer is removed, before it can see whether the pod still exists. So a Job
    // with a terminating pod first reports the pod, and ends with the next write.
    if (count_untracked() && terminating_ == 0 && job_.status.terminating.value_or(0) > 0)
        next_.status.terminating = job_.status.terminating;
    auto const free = note_finished();
    end_if_all_is_counted(!free.empty());
    if (!(next_.status == job_.status)) {
        auto& step = steps_.emplace_back();
        step.actions.emplace_back(rules::write_status(next_));
        step.actions.insert(step.actions.end(), events_.begin(), events_.end());
    }
    if (!free.empty()) {
        auto& step = steps_.emplace_back();
        step.side_by_side = true;
        for (auto const* p : free) step.actions.emplace_back(untracked(*p));
    }
    rules::plan plan;
    plan.steps = std::move(steps_);
    plan.requeue_at = requeue_at_;
    plan.remember = std::make_shared<failure_record>(record_);
    return plan;
}

} // namespace kftrain::controllers::batch_jobs
