#include <kftrain/facade/job_state.hpp>

#include "facade/follow/job_layout.hpp"
#include "job/contract/watched_pods.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/core.hpp>

#include <algorithm>

namespace kftrain {
namespace {

using pod_list = std::span<std::shared_ptr<pod const> const>;

void fill_ranks(job_state& state, rules::job_rules const& kind, object_meta const& job, job_layout const& layout,
                pod_list pods) {
    auto const& members = layout.members().members;
    std::vector<pod const*> of_member(members.size());
    pod_claim const claim(kind, job);
    for (auto const& p : pods) {
        auto const place = layout.place_of(p->metadata);
        if (!place || claim.is_of_another(p->metadata)) continue;
        auto& known = of_member[*place];
        if (known == nullptr || counts_more(*p, *known)) known = p.get();
    }
    state.ranks.resize(members.size());
    for (std::size_t i = 0; i != members.size(); ++i) {
        state.ranks[i].member = members[i];
        if (of_member[i] != nullptr) look_at_pod(*of_member[i], state.ranks[i]);
        state.restarts += state.ranks[i].restarts;
    }
}

void count(role_state& role, rank_phase phase) noexcept {
    ++role.wanted;
    switch (phase) {
    case rank_phase::pending: ++role.pending; break;
    case rank_phase::ready: ++role.ready; [[fallthrough]];
    case rank_phase::running: ++role.running; break;
    case rank_phase::succeeded: ++role.succeeded; break;
    case rank_phase::failed: ++role.failed; break;
    default: break;
    }
}

/// Members are in the order of the roles.
void fill_roles(job_state& state, membership const& all) {
    std::size_t at = 0;
    for (auto const& r : all.roles) {
        auto& counted = state.roles.emplace_back();
        counted.role = r.name;
        for (; at < state.ranks.size() && state.ranks[at].member.role == r.name; ++at)
            count(counted, state.ranks[at].phase);
    }
}

/// Returns the last condition that is True, or the last one if none is.
meta::condition const* last_condition(std::vector<meta::condition> const& all) noexcept {
    for (auto i = all.size(); i-- != 0;)
        if (all[i].status == "True") return &all[i];
    return all.empty() ? nullptr : &all.back();
}

void fill_conditions(job_state& state, any_job const& job) {
    auto const all = job.conditions();
    auto const* const last = last_condition(all);
    if (last != nullptr) {
        state.reason = last->reason;
        state.message = last->message;
    }
    auto const times = job.rules().times(job.get());
    state.started = times.started;
    if (!state.started)
        if (auto const* const c = condition_of(all, to_string(job_phase::running)); c != nullptr)
            state.started = c->last_transition_time;
    if (!is_finished(state.phase)) return;
    state.finished = times.finished;
    if (state.finished) return;
    auto const* const end = condition_of(all, to_string(state.phase));
    if (auto const* const c = end != nullptr ? end : last; c != nullptr) state.finished = c->last_transition_time;
}

/// The problem of a member, empty if it has none: `Worker 3 Pending: Unschedulable`.
std::string trouble_of(rank_state const& r) {
    bool const fine = r.phase == rank_phase::ready || r.phase == rank_phase::succeeded;
    if (fine || r.reason.empty()) return {};
    return r.member.role + " " + std::to_string(r.member.index) + " " + std::string(to_string(r.phase)) + ": " +
           r.reason;
}

} // namespace

bool job_state::all_ready() const noexcept {
    return !ranks.empty() && std::ranges::all_of(ranks, [](auto const& r) { return r.phase == rank_phase::ready; });
}

std::string job_state::to_string() const {
    std::string text(kftrain::to_string(phase));
    if (deleting) text += ", being deleted";
    if (suspended && phase != job_phase::suspended) text += ", suspended";
    bool const over = is_finished(phase);
    for (auto const& r : roles)
        text += ", " + r.role + " " + std::to_string(over ? r.succeeded : r.ready) + "/" + std::to_string(r.wanted);
    if (!roles.empty()) text += over ? " succeeded" : " ready";
    for (auto const& r : roles) {
        if (!over && r.succeeded != 0) text += ", " + std::to_string(r.succeeded) + " " + r.role + " succeeded";
        if (r.failed != 0) text += ", " + std::to_string(r.failed) + " " + r.role + " failed";
    }
    if (restarts != 0) text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    for (auto const& r : ranks)
        if (auto const trouble = trouble_of(r); !trouble.empty()) return text + ", " + trouble;
    return text;
}

job_state state_of_job(prepared_job const& job, job_layout const* layout, pod_list pods) {
    auto const& metadata = job->metadata();
    job_state state;
    state.job = job_reference(*job);
    state.phase = job->phase();
    state.deleting = metadata.deletion_timestamp.has_value();
    state.created = metadata.creation_timestamp;
    state.resource_version = metadata.resource_version;
    state.suspended = job.suspending().suspended;
    fill_conditions(state, *job);
    if (layout == nullptr) return state;
    fill_ranks(state, job->rules(), metadata, *layout, pods);
    fill_roles(state, layout->members());
    return state;
}

job_state job_state_of(any_job const& job, pod_list pods) {
    auto const stored = prepared_job::stored(job);
    auto const layout = lay_out_job(stored);
    return state_of_job(stored, layout.get(), pods);
}

} // namespace kftrain
