#ifndef KFTRAIN_SRC_JOB_CONTRACT_CONDITIONS_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_CONDITIONS_HPP

#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_phase.hpp>

#include <optional>

namespace kftrain {

/// A status with a list of conditions, of any API.
template <class Status>
concept has_conditions = requires(Status const& s) { s.conditions.begin()->status; };

/// The condition of this type, or null.
template <has_conditions Status> auto find_condition(Status const& status, std::string_view type) noexcept {
    return condition_of(status.conditions, type);
}
/// Whether the condition of this type exists and is True.
template <has_conditions Status> bool is_true(Status const& status, std::string_view type) noexcept {
    return is_true(status.conditions, type);
}
/// Whether a job of a kubeflow API has Succeeded or Failed.
template <has_conditions Status> bool is_finished(Status const& status) noexcept {
    return is_true(status, "Succeeded") || is_true(status, "Failed");
}

/// Returns the condition for a change; absent if the condition of this type has the status and the reason already.
template <has_conditions Status>
auto changed_condition(Status const& status, std::string_view type, std::string_view value, std::string reason,
                       std::string message, time_point now) {
    auto const* const before = find_condition(status, type);
    std::optional<std::remove_cvref_t<decltype(*before)>> next;
    bool const same_value = before != nullptr && before->status == value;
    if (same_value && before->reason == reason) return next;
    next.emplace();
    next->type = type;
    next->status = value;
    next->reason = std::move(reason);
    next->message = std::move(message);
    next->last_update_time = now;
    next->last_transition_time = same_value ? before->last_transition_time : now;
    return next;
}

/// phase_of() for conditions in the form of any API: those that are True count.
template <class Conditions> job_phase phase_by(Conditions const& all) noexcept {
    // Succeeded and Failed can both be True upstream; the failure is what the caller has to know.
    for (auto p :
         {job_phase::failed, job_phase::succeeded, job_phase::suspended, job_phase::restarting, job_phase::running})
        if (kftrain::is_true(all, to_string(p))) return p;
    return job_phase::created;
}

/// Conditions of the kubeflow APIs in the form that callers of every kind know.
template <class Conditions> std::vector<meta::condition> as_conditions(Conditions const& all) {
    std::vector<meta::condition> out;
    out.reserve(all.size());
    for (auto const& c : all) {
        auto& t = out.emplace_back();
        t.type = c.type;
        t.status = c.status;
        t.reason = c.reason;
        t.message = c.message;
        t.last_transition_time = c.last_transition_time;
    }
    return out;
}

} // namespace kftrain

#endif
