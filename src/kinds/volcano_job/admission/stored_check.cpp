#include "base/joined.hpp"
#include "kinds/volcano_job/plan/requests.hpp"
#include "kinds/volcano_job/plan/state.hpp"

#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/prepared_job.hpp>

namespace kftrain::volcano {
namespace {

constexpr std::string_view failed_validation = "FailedValidation"; ///< the reason in the state

/// Whether nothing was made of the job yet. Later on, as with the webhooks, what is left out in an edit stays left out.
bool is_new(job_state const& s) noexcept {
    return s.phase.empty() || (s.phase == phase::pending && s.reason == failed_validation);
}

rules::plan plan_of(rules::action action) {
    rules::plan plan;
    plan.steps.emplace_back().actions.push_back(std::move(action));
    return plan;
}

/// Says once in an event and in the status what is wrong; an edit of the job wakes the operator.
rules::plan refusal(job next, issues const& found, time_point now) {
    auto& state = next.status.state;
    auto text = joined(found, "; ", &issue::message);
    if (state.message == text) return {};
    rules::plan_writer todo;
    todo.emit("Warning", "JobFailedValidation", "Job failed validation because " + text);
    if (state.phase.empty()) {
        auto& condition = next.status.conditions.emplace_back();
        condition.last_transition_time = now;
        condition.status = phase::pending;
    }
    state.phase = phase::pending;
    state.reason = failed_validation;
    state.message = std::move(text);
    state.last_transition_time = now;
    todo.add(rules::write_status(std::move(next)));
    rules::plan plan;
    plan.steps = todo.take();
    return plan;
}

} // namespace

std::optional<rules::plan> check_stored(prepared_job const& given, time_point now) {
    job const& stored = *given.written().get_if<job>();
    if (!is_new(stored.status.state)) return std::nullopt;
    auto const checked = prepared_job::admitted(*given); // the rules for new jobs hold, too
    job next = *checked.complete().get_if<job>();
    if (auto const& found = checked.faults(); !found.empty()) {
        next.spec = stored.spec;
        return refusal(std::move(next), found, now);
    }
    if (!(next.spec == stored.spec)) return plan_of(rules::change_self(std::move(next)));
    if (stored.status.state.phase.empty()) return std::nullopt;
    next.status = {}; // it was faulty and is no more
    return plan_of(rules::write_status(std::move(next)));
}

} // namespace kftrain::volcano
