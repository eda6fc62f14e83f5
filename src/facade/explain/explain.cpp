#include "facade/explain/causes.hpp"
#include "facade/follow/job_layout.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace kftrain::explaining {
namespace {

/// Whether it is a way in which containers end: of these, the first in time explains the others.
bool is_end(cause_kind k) { return k >= cause_kind::out_of_memory && k <= cause_kind::deleted; }

void rank_causes(found_causes& found) {
    auto const key = [&](found_cause const& c) {
        auto const kind = c.consequence ? cause_kind::rendezvous : c.cause.kind;
        return std::tuple(is_end(kind) ? cause_kind::out_of_memory : kind, c.at.value_or(time_point::max()),
                          c.cause.kind);
    };
    // Equal keys are of equal kinds, of which there is one each.
    std::ranges::sort(found, {}, key);
}

/// In the order of the calls: functions that read causes found earlier come after them.
constexpr std::array all_causes{
    &find_invalid,       &find_no_operator,   &find_out_of_memory, &find_command_not_found, &find_exited,
    &find_recreated,     &find_evicted,       &find_deleted,       &find_image_not_found,   &find_config_missing,
    &find_refusals,      &find_unschedulable, &find_gang,          &find_sidecar,           &find_crash_loop,
    &find_backoff_limit, &find_deadline,      &find_suspended,     &find_starting,          &find_rendezvous,
    &find_stalled};

} // namespace

explanation explain(job_evidence const& evidence, time_point now) {
    findings const f(evidence, now);
    found_causes found;
    // A job that has succeeded has overcome all earlier failures, and one that is suspended or deleted has no pods to
    // examine.
    bool const over = f.phase == job_phase::succeeded || (evidence.job->metadata().deletion_timestamp && !f.finished());
    if (!over)
        for (auto const find : all_causes) find(f, found);
    find_rest(f, found);
    find_still_running(f, found);
    rank_causes(found);
    explanation e;
    auto const layout = lay_out_job(evidence.job);
    e.state = state_of_job(evidence.job, layout.get(), evidence.pods);
    for (auto& c : found) e.causes.push_back(std::move(c.cause));
    e.missing = evidence.missing;
    return e;
}

} // namespace kftrain::explaining
