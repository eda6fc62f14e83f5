#include "kinds/train_job/kind.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/deadline_after.hpp"

#include <algorithm>

namespace kftrain::trainer {
namespace {

using conditions = std::vector<meta::condition>;

/** Adds a condition, or changes the one of its type. Its time counts if it is new or changes.
    @par Upstream apimachinery `pkg/api/meta/conditions.go`, `SetStatusCondition` */
void set_condition(conditions& all, meta::condition next, time_point now) {
    auto const at = std::ranges::find(all, next.type, &meta::condition::type);
    bool const changes = at == all.end() || at->status != next.status;
    if (!changes)
        next.last_transition_time = at->last_transition_time;
    else if (!next.last_transition_time)
        next.last_transition_time = now;
    if (at == all.end())
        all.push_back(std::move(next));
    else
        *at = std::move(next);
}

meta::condition make(std::string_view type, std::string_view status, std::string_view reason, std::string message) {
    meta::condition c;
    c.type = type;
    c.status = status;
    c.reason = reason;
    c.message = std::move(message);
    return c;
}

bool is_past_deadline(conditions const& all) {
    auto const* const failed = condition_of(all, "Failed");
    return failed != nullptr && failed->reason == "DeadlineExceeded";
}

void copy_end(conditions& all, jobset::job_set const& set, std::string_view from, std::string_view to, time_point now) {
    auto const* const end = condition_of(set.status.conditions, from);
    if (end == nullptr || end->status != "True") return;
    auto copy = *end;
    copy.type = to;
    set_condition(all, std::move(copy), now);
}

void copy_status(train_job_status& status, jobset::job_set const& set, time_point now) {
    copy_end(status.conditions, set, "Completed", "Complete", now);
    copy_end(status.conditions, set, "Failed", "Failed", now);
    status.jobs_status.clear();
    for (auto const& s : set.status.replicated_jobs_status) {
        auto& own = status.jobs_status.emplace_back();
        own.name = s.name;
        own.ready = s.ready;
        own.succeeded = s.succeeded;
        own.failed = s.failed;
        own.active = s.active;
        own.suspended = s.suspended;
    }
}

} // namespace

std::optional<time_point> deadline_of(train_job const& job) {
    if (!job.spec.active_deadline_seconds || is_suspended(job)) return std::nullopt;
    auto start = job.metadata.creation_timestamp;
    if (auto const* const c = condition_of(job.status.conditions, "Suspended"); c != nullptr && c->status == "False")
        start = c->last_transition_time;
    if (!start) return std::nullopt;
    return deadline_after(*start, *job.spec.active_deadline_seconds);
}

train_job_status judge(train_job const& stored, jobset::job_set const* set, time_point now) {
    train_job job = stored;
    auto& all = job.status.conditions;
    if (job.spec.managed_by.value_or(std::string(own_manager)) != own_manager) return job.status;
    // Each look finds it again, so that a changed job may leave it.
    if (!is_past_deadline(all)) std::erase_if(all, [](meta::condition const& c) { return c.type == "Failed"; });
    if (!has_known_runtime(job)) {
        auto const& ref = job.spec.runtime_ref;
        set_condition(all,
                      make("Failed", "True", "TrainingRuntimeNotSupported",
                           "unsupported runtime: " + ref.kind.value_or("") + "." + ref.api_group.value_or("")),
                      now);
    }
    if (is_suspended(job))
        set_condition(all, make("Suspended", "True", "Suspended", "TrainJob is suspended"), now);
    else if (is_true(all, "Suspended"))
        set_condition(all, make("Suspended", "False", "Resumed", "TrainJob is resumed"), now);

    auto const late = is_past_deadline(all) ? *condition_of(all, "Failed") : meta::condition();
    if (set != nullptr) copy_status(job.status, *set, now);
    if (!late.type.empty()) set_condition(all, late, now);
    bool const ended = is_true(all, "Complete") || is_true(all, "Failed");
    if (auto const end = deadline_of(job); !ended && end && now > *end)
        set_condition(all, make("Failed", "True", "DeadlineExceeded", "TrainJob exceeded its active deadline"), now);
    return std::move(job.status);
}

job_phase phase_of(train_job const& job) noexcept {
    auto const& all = job.status.conditions;
    if (is_true(all, "Complete")) return job_phase::succeeded;
    if (is_true(all, "Failed")) return job_phase::failed;
    if (is_suspended(job)) return job_phase::suspended;
    // Initializers are no training.
    bool const runs = std::ranges::any_of(job.status.jobs_status, [](job_status const& s) {
        return s.ready > 0 && s.name != dataset_step && s.name != model_step;
    });
    return runs ? job_phase::running : job_phase::created;
}

} // namespace kftrain::trainer
