#include "facade/follow/job_layout.hpp"

#include "model/rules/condition_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/kube/resource_version.hpp>
#include <kftrain/objects/core.hpp>

#include <algorithm>

namespace kftrain {
namespace {

using core::container_status;

/// A container that waits for what every container waits for has no reason of its own.
bool is_usual(std::string_view waiting_reason) noexcept {
    return waiting_reason.empty() || waiting_reason == "ContainerCreating" || waiting_reason == "PodInitializing";
}

bool is_ready(pod const& p) noexcept {
    auto const& containers = p.status.container_statuses;
    auto const* const ready = condition_of(p.status.conditions, "Ready");
    if (ready != nullptr && ready->status != "True") return false; // of gates, or of its node
    if (containers.empty()) return ready != nullptr;
    return std::ranges::all_of(containers, &container_status::ready);
}

rank_phase phase_of_pod(pod const& p) noexcept {
    auto const& s = p.status;
    if (s.phase == "Unknown" || s.reason == "NodeLost") return rank_phase::unknown;
    if (s.phase == "Succeeded") return rank_phase::succeeded;
    if (s.phase == "Failed") return rank_phase::failed;
    if (p.metadata.deletion_timestamp) return rank_phase::terminating;
    bool const runs = std::ranges::any_of(s.container_statuses, [](auto const& c) { return bool(c.state.running); });
    bool const waits = std::ranges::any_of(s.container_statuses, [](auto const& c) { return bool(c.state.waiting); });
    if (!runs && (waits || s.phase != "Running")) return rank_phase::pending;
    return is_ready(p) ? rank_phase::ready : rank_phase::running;
}

bool ended_badly(core::container_state const& s) noexcept {
    return s.terminated && (s.terminated->exit_code != 0 || s.terminated->signal != 0);
}

std::int32_t code_of(core::container_state_terminated const& t) noexcept {
    return t.exit_code == 0 ? 128 + t.signal : t.exit_code;
}

std::optional<std::int32_t> exit_code_of(pod const& p) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list) {
            if (ended_badly(c.state)) return code_of(*c.state.terminated);
            // Between two runs the last one is reported.
            if (c.state.waiting && ended_badly(c.last_state)) return code_of(*c.last_state.terminated);
        }
    return std::nullopt;
}

template <class State> bool set_reason(rank_state& rank, State const& state) {
    rank.reason = state.reason;
    rank.message = state.message;
    return true;
}

bool explain_waiting(rank_state& rank, pod const& p, bool usual) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list)
            if (c.state.waiting && !c.state.waiting->reason.empty() && is_usual(c.state.waiting->reason) == usual)
                return set_reason(rank, *c.state.waiting);
    return false;
}

bool explain_end(rank_state& rank, pod const& p) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list)
            if (ended_badly(c.state)) return set_reason(rank, *c.state.terminated);
    return false;
}

bool explain_status(rank_state& rank, pod const& p) { return !p.status.reason.empty() && set_reason(rank, p.status); }

void explain_phase(rank_state& rank, pod const& p) {
    switch (rank.phase) {
    case rank_phase::pending: {
        auto const* const scheduled = condition_of(p.status.conditions, "PodScheduled");
        if (scheduled != nullptr && scheduled->status == "False") {
            set_reason(rank, *scheduled);
            return;
        }
        if (explain_waiting(rank, p, false) || explain_status(rank, p) || explain_waiting(rank, p, true)) return;
        explain_end(rank, p);
        return;
    }
    case rank_phase::running:
        if (!explain_waiting(rank, p, false)) explain_end(rank, p);
        return;
    case rank_phase::failed:
        if (!explain_status(rank, p)) explain_end(rank, p);
        return;
    case rank_phase::terminating:
    case rank_phase::unknown: explain_status(rank, p); return;
    default: return;
    }
}

std::int32_t restarts_of(pod const& p) noexcept {
    std::int32_t sum = 0;
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list) sum += c.restart_count;
    return sum;
}

} // namespace

std::string_view to_string(rank_phase p) noexcept {
    switch (p) {
    case rank_phase::absent: return "Absent";
    case rank_phase::pending: return "Pending";
    case rank_phase::running: return "Running";
    case rank_phase::ready: return "Ready";
    case rank_phase::succeeded: return "Succeeded";
    case rank_phase::failed: return "Failed";
    case rank_phase::terminating: return "Terminating";
    case rank_phase::unknown: return "Unknown";
    }
    return "Unknown";
}

void look_at_pod(pod const& p, rank_state& rank) {
    rank.member.pod_name = p.metadata.name;
    rank.phase = phase_of_pod(p);
    rank.restarts = restarts_of(p);
    rank.node = p.spec.node_name;
    rank.exit_code = rank.phase == rank_phase::succeeded ? std::nullopt : exit_code_of(p);
    explain_phase(rank, p);
}

bool counts_more(pod const& p, pod const& than) {
    bool const leaves = p.metadata.deletion_timestamp.has_value();
    if (leaves != than.metadata.deletion_timestamp.has_value()) return !leaves;
    if (p.metadata.creation_timestamp != than.metadata.creation_timestamp)
        return p.metadata.creation_timestamp > than.metadata.creation_timestamp;
    // Times of creation are whole seconds; a pod is made when the one before it is over.
    if (has_ended(p) != has_ended(than)) return !has_ended(p);
    auto const order = kube::compare_resource_versions(p.metadata.resource_version, than.metadata.resource_version);
    if (order == std::partial_ordering::less || order == std::partial_ordering::greater) return order > 0;
    return p.metadata.uid > than.metadata.uid;
}

} // namespace kftrain
