#include "base/ascii.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/follow/job_layout.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace kftrain::explaining {
namespace {

constexpr std::size_t most_members = 16;
constexpr std::size_t most_evidence = 12;

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

found_cause& add_cause(std::vector<found_cause>& found, findings const& f, cause_kind kind,
                       std::vector<std::size_t> members) {
    auto& c = found.emplace_back();
    c.cause.kind = kind;
    c.cause.affected = static_cast<std::int64_t>(members.size());
    for (std::size_t i = 0; i < members.size() && i < most_members; ++i)
        c.cause.members.push_back(f.layout.members[members[i]]);
    c.members = std::move(members);
    return c;
}

void add_evidence(job_cause& cause, std::string line) {
    if (line.empty() || cause.evidence.size() >= most_evidence) return;
    if (std::ranges::find(cause.evidence, line) == cause.evidence.end()) cause.evidence.push_back(std::move(line));
}

void add_evidence(job_cause& cause, job_event const& e) { add_evidence(cause, "event: " + e.to_string()); }

void add_evidence(job_cause& cause, meta::condition const& c) {
    add_evidence(cause, "condition: " + c.type + "=" + c.status + (c.reason.empty() ? "" : " " + c.reason) +
                            (c.message.empty() ? "" : ": " + c.message));
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> texts) {
    auto const lower = to_lower(text);
    return std::ranges::any_of(texts, [&](std::string_view w) { return lower.find(to_lower(w)) != lower.npos; });
}

std::string counted(std::size_t n, std::string_view noun) {
    return std::to_string(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}

std::string span_of(std::chrono::seconds t) {
    if (t.count() < 120) return std::to_string(t.count()) + " s";
    if (t.count() < 2 * 3600) return std::to_string(t.count() / 60) + " min";
    return std::to_string(t.count() / 3600) + " h";
}

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

namespace kftrain {

std::string_view to_string(cause_kind kind) noexcept {
    switch (kind) {
    case cause_kind::invalid: return "invalid";
    case cause_kind::no_operator: return "no-operator";
    case cause_kind::out_of_memory: return "out-of-memory";
    case cause_kind::command_not_found: return "command-not-found";
    case cause_kind::exited: return "exited";
    case cause_kind::evicted: return "evicted";
    case cause_kind::deleted: return "deleted";
    case cause_kind::image_not_found: return "image-not-found";
    case cause_kind::config_missing: return "config-missing";
    case cause_kind::quota: return "quota";
    case cause_kind::refused: return "refused";
    case cause_kind::name_too_long: return "name-too-long";
    case cause_kind::unschedulable: return "unschedulable";
    case cause_kind::gang: return "gang";
    case cause_kind::sidecar: return "sidecar";
    case cause_kind::crash_loop: return "crash-loop";
    case cause_kind::backoff_limit: return "backoff-limit";
    case cause_kind::deadline: return "deadline";
    case cause_kind::starting: return "starting";
    case cause_kind::rendezvous: return "rendezvous";
    case cause_kind::suspended: return "suspended";
    case cause_kind::stalled: return "stalled";
    case cause_kind::still_running: return "still-running";
    case cause_kind::healthy: break;
    }
    return "healthy";
}

std::string explanation::to_string() const {
    auto text = state.job.to_string() + ": " + state.to_string() + "\n";
    for (auto const& c : causes) {
        text.append(kftrain::to_string(c.kind)).append(": ").append(c.summary).append("\n");
        for (auto const& line : c.evidence) text += "  - " + line + "\n";
        for (auto const& line : c.log) text += "  | " + line + "\n";
        if (!c.advice.empty()) text += "  > " + c.advice + "\n";
    }
    for (auto const& line : missing) text += "not checked: " + line + "\n";
    return text;
}

} // namespace kftrain
