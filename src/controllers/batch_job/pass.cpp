#include "controllers/batch_job/pass.hpp"

#include "controllers/batch_job/failure_policy.hpp"
#include "model/rules/deadline_after.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <set>

namespace kftrain::controllers::batch_jobs {
namespace {

constexpr rules::event_messages deletion{"SuccessfulDelete", "Deleted pod: {}", "FailedDelete", "Error deleting: {}"};

constexpr rules::event_messages creation{"SuccessfulCreate", "Created pod: {}", "FailedCreate", "Error creating: {}"};

/// The beginning of a generated name; the server adds five characters.
std::string name_of_index(std::string const& job, std::int32_t index) {
    constexpr std::size_t longest = 58;
    auto const end = "-" + std::to_string(index) + "-";
    return job.substr(0, longest - end.size()) + end;
}

void add_index_variable(core::container& c) {
    constexpr std::string_view variable = "JOB_COMPLETION_INDEX";
    if (std::ranges::find(c.env, variable, &core::env_var::name) != c.env.end()) return;
    auto& added = c.env.emplace_back();
    added.name = variable;
    added.value_from.emplace().field_ref.emplace().field_path = "metadata.labels['" + std::string(index_key) + "']";
}

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

/// @param counted Whether their finalizer stays until they are counted
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

/// Returns superfluous active pods: those without a valid index of their own, and others up to `least`.
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

/// Writes the interim condition first, so that pods that lose their finalizer cannot change the verdict.
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

// Whether a Job is to end, and why.

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

// The pods that a Job makes.

pod pass::new_pod(std::optional<std::int32_t> index) const {
    auto const& from = job_.spec.template_;
    pod p;
    p.metadata.namespace_ = job_.metadata.namespace_;
    p.metadata.generate_name = job_.metadata.name + "-";
    p.metadata.labels = from.metadata.labels;
    p.metadata.annotations = from.metadata.annotations;
    p.metadata.finalizers = from.metadata.finalizers;
    add_finalizer(p.metadata, tracking_finalizer);
    p.metadata.owner_references.push_back(controller_reference(job_));
    p.spec = from.spec;
    if (!index) return p;

    auto const number = std::to_string(*index);
    p.metadata.generate_name = name_of_index(job_.metadata.name, *index);
    p.metadata.annotations[std::string(index_key)] = number;
    p.metadata.labels[std::string(index_key)] = number;
    p.spec.hostname = job_.metadata.name + "-" + number;
    for (auto* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto& c : *list) add_index_variable(c);
    if (!job_.spec.backoff_limit_per_index) return p;

    std::int32_t failures = 0, ignored = 0;
    if (auto const at = delayed_.find(*index); at != delayed_.end()) {
        failures = counted(*at->second, failure_count_key);
        ignored = counted(*at->second, ignored_failure_count_key);
        ++(judge_failed_pod(job_, *at->second).counts ? failures : ignored);
    }
    p.metadata.annotations[std::string(failure_count_key)] = std::to_string(failures);
    if (ignored > 0) p.metadata.annotations[std::string(ignored_failure_count_key)] = std::to_string(ignored);
    return p;
}

std::vector<rules::action> pass::new_pods(std::int64_t count) {
    std::vector<rules::action> made;
    bool const by_index = job_.spec.backoff_limit_per_index.has_value();
    if (!by_index && record_.ready_at() > look_.now) {
        requeue_by(record_.ready_at());
        return made;
    }
    count = std::min<std::int64_t>(count, most_per_plan);
    if (!is_indexed(job_)) {
        for (std::int64_t i = 0; i < count; ++i) made.emplace_back(rules::create(new_pod(std::nullopt), creation));
        return made;
    }
    index_set taken = succeeded_indexes_;
    taken.add(failed_indexes_);
    for (auto const* p : pods_)
        if (auto const index = index_of(*p);
            index && (is_active(*p) || (replaces_failed_only(job_) && is_terminating(*p))))
            taken.add(*index);
    auto const end = completions_of(job_).value_or(0);
    for (auto i = taken.next_absent(0); i < end && count > 0; i = taken.next_absent(i + 1), --count) {
        if (auto const at = delayed_.find(i); by_index && at != delayed_.end()) {
            auto const failures =
                counted(*at->second, failure_count_key) + 1 + counted(*at->second, ignored_failure_count_key);
            auto const ready = failure_record::ready_after(failures, finished_at(*at->second));
            if (ready > look_.now) {
                requeue_by(ready);
                continue;
            }
        }
        made.emplace_back(rules::create(new_pod(i), creation));
    }
    return made;
}

// How pods are counted, each once.

/// Counts the noted pods that have lost their finalizer or no longer exist: they cannot be noted again.
bool pass::count_untracked() {
    std::set<std::string_view> tracked;
    for (auto const* p : pods_)
        if (is_tracked(*p)) tracked.insert(p->metadata.uid);
    auto& noted = *next_.status.uncounted_terminated_pods;
    auto const count = [&](std::vector<std::string>& uids, std::int32_t& sum) {
        auto const found = std::erase_if(uids, [&](auto const& uid) { return !tracked.contains(uid); });
        sum += static_cast<std::int32_t>(found);
        return found != 0;
    };
    bool const any = count(noted.succeeded, next_.status.succeeded);
    return count(noted.failed, next_.status.failed) || any;
}

bool pass::may_go(pod const& p) const {
    if (job_.metadata.deletion_timestamp || ending_ || p.status.phase == "Succeeded") return true;
    if (!has_failed(p, job_)) return false;
    auto const index = index_of(p);
    auto const at = index ? delayed_.find(*index) : delayed_.end();
    return at == delayed_.end() || at->second != &p;
}

pod_list pass::note_finished() {
    bool const indexed = is_indexed(job_);
    auto& noted = *next_.status.uncounted_terminated_pods;
    std::set<std::string> const succeeded(noted.succeeded.begin(), noted.succeeded.end());
    std::set<std::string> const failed(noted.failed.begin(), noted.failed.end());
    index_set completed = counted_indexes_;
    std::size_t new_indexes = 0;
    pod_list free;
    for (auto const* p : pods_) {
        if (!is_tracked(*p) || !may_go(*p)) continue;
        if (new_indexes + noted.succeeded.size() + noted.failed.size() >= most_per_plan) break;
        free.push_back(p);
        auto const& uid = p->metadata.uid;
        if (p->status.phase == "Succeeded" && !failed.contains(uid)) {
            // The index is enough to count it once.
            if (!indexed && !succeeded.contains(uid)) noted.succeeded.push_back(uid);
            if (indexed && index_of(*p) && has_valid_index(*p, job_) && !completed.has(*index_of(*p))) {
                completed.add(*index_of(*p));
                ++new_indexes;
            }
        } else if (has_failed(*p, job_) || (ending_ && ending_->type != "SuccessCriteriaMet")) {
            if (!failed.contains(uid) && has_valid_index(*p, job_) && judge_failed_pod(job_, *p).counts)
                noted.failed.push_back(uid);
        }
    }
    if (indexed) {
        next_.status.succeeded = static_cast<std::int32_t>(succeeded_indexes_.size());
        next_.status.completed_indexes = succeeded_indexes_.to_string();
        if (job_.spec.backoff_limit_per_index) next_.status.failed_indexes = failed_indexes_.to_string();
    }
    return free;
}

} // namespace kftrain::controllers::batch_jobs
