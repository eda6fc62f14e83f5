#include "facade/explain/findings.hpp"

#include "base/ascii.hpp"
#include "facade/explain/exit_status.hpp"
#include "facade/follow/job_layout.hpp"
#include "job/contract/watched_pods.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace kftrain::explaining {
namespace {

/// A container that runs this long after a restart counts as healthy: the kubelet then resets its back-off, too.
constexpr std::chrono::seconds sound{600};
/// A replica that ends so soon after the first one most likely ends because of it.
constexpr std::chrono::seconds following{120};

bool is_evicted(core::pod_status const& s) {
    for (auto const reason : {"Evicted", "NodeLost", "NodeShutdown", "Shutdown", "Terminated", "Preempting"})
        if (s.reason == reason) return true;
    auto const* const disrupted = condition_of(s.conditions, "DisruptionTarget");
    return disrupted != nullptr && disrupted->status == "True";
}

cause_kind kind_of(core::pod const& p, core::container_state_terminated const& t) {
    if (t.reason == "OOMKilled") return cause_kind::out_of_memory;
    if (p.status.reason == "DeadlineExceeded") return cause_kind::deadline;
    if (is_evicted(p.status)) return cause_kind::evicted;
    bool const unstarted =
        t.reason == "StartError" || t.reason == "ContainerCannotRun" || t.reason == "RunContainerError";
    if (unstarted && names_missing_program(t.message)) return cause_kind::command_not_found;
    if (t.exit_code == 126 || t.exit_code == 127) return cause_kind::command_not_found;
    return cause_kind::exited;
}

/// Containers that only serve another container.
constexpr std::string_view helpers[]{"istio-proxy",
                                     "linkerd-proxy",
                                     "envoy",
                                     "envoy-sidecar",
                                     "dapr",
                                     "daprd",
                                     "vault-agent",
                                     "fluent-bit",
                                     "fluentd",
                                     "filebeat",
                                     "promtail",
                                     "vector",
                                     "otc-container",
                                     "datadog-agent",
                                     "consul-dataplane",
                                     "cloud-sql-proxy",
                                     "gke-gcsfuse-sidecar"};

bool is_helper(std::string_view name) { return std::ranges::find(helpers, name) != std::end(helpers); }

/// Whether it requests a device, such as nvidia.com/gpu.
bool requests_device(core::container const& c) {
    return std::ranges::any_of(c.resources.limits, [](auto const& r) { return r.first.find('/') != r.first.npos; });
}

} // namespace

findings::findings(job_evidence const& all, time_point t)
    : evidence(all), now(t), conditions(all.job->conditions()), phase(all.job->phase()) {
    index_events();
    auto const& job = evidence.job;
    auto const& metadata = job->metadata();
    if (metadata.creation_timestamp) age = now - *metadata.creation_timestamp;
    touched = !conditions.empty() || !evidence.events.empty() || evidence.gang.has_value();
    for (auto const& i : job.faults())
        if (i.level == issue::severity::error) broken.push_back(i);
    suspended = phase == job_phase::suspended;
    if (!broken.empty()) return;
    layout = job.layout();
    suspended = suspended || job.suspending().suspended;
    place_pods();
    has_ended.assign(pods.size(), false);
    for (std::size_t i = 0; i < pods.size(); ++i) look_at(i);
    look_at_replaced();
    sort_ends();
}

/// Each member is looked up, so events are indexed by the member that they are about.
void findings::index_events() {
    for (std::size_t i = 0; i < evidence.events.size(); ++i)
        events_of_[{evidence.events[i].object_kind, evidence.events[i].object_name}].push_back(i);
}

void findings::place_pods() {
    pods.assign(layout.members.size(), nullptr);
    job_layout const index(evidence.job);
    pod_claim const claim(evidence.job->rules(), evidence.job->metadata());
    for (auto const& p : evidence.pods) {
        auto const place = p == nullptr ? std::nullopt : index.place_of(p->metadata);
        if (!place || claim.is_of_another(p->metadata)) continue;
        auto const at = *place;
        touched = true;
        core::pod const* older = p.get();
        if (pods[at] == nullptr || counts_more(*p, *pods[at])) older = std::exchange(pods[at], p.get());
        if (older != nullptr) replaced_.emplace_back(at, older);
    }
    // Of members without a name, that of the pod that counts.
    for (std::size_t i = 0; i < pods.size(); ++i)
        if (pods[i] != nullptr) layout.members[i].pod_name = pods[i]->metadata.name;
}

void findings::look_at(std::size_t member) {
    auto const* const p = pods[member];
    if (p == nullptr) return;
    auto const before = ended.size();
    note_ends(member, *p);
    has_ended[member] = ended.size() != before;
}

/// Failed pods that were replaced, as those of a batch Job: their failure counts until the new pod has run long enough.
void findings::look_at_replaced() {
    for (auto const& [member, p] : replaced_) {
        auto const& states = pods[member]->status.container_statuses;
        bool const over = std::ranges::any_of(states, [&](core::container_status const& c) {
            return c.state.running && c.state.running->started_at && now - *c.state.running->started_at > sound;
        });
        if (p->status.phase == "Failed" && !over && !succeeded(member)) note_ends(member, *p);
    }
}

void findings::note_ends(std::size_t member, core::pod const& p) {
    for (auto const& c : p.status.init_container_statuses) note_end(member, p, c);
    for (auto const& c : p.status.container_statuses) note_end(member, p, c);
}

void findings::note_end(std::size_t member, core::pod const& p, core::container_status const& c) {
    auto const* const end = c.state.terminated        ? &*c.state.terminated
                            : c.last_state.terminated ? &*c.last_state.terminated
                                                      : nullptr;
    if (end == nullptr || end->exit_code == 0) return;
    if (c.state.running && c.state.running->started_at && now - *c.state.running->started_at > sound) return;
    auto const signal = signal_of(*end);
    // The deletion of the pod sent the signal.
    if (p.metadata.deletion_timestamp && (signal == 15 || signal == 9)) return;
    auto& e = ended.emplace_back();
    e.member = member;
    e.pod = &p;
    e.status = &c;
    e.end = end;
    e.kind = kind_of(p, *end);
}

void findings::sort_ends() {
    // Of replicas that end within a short time, one whose log names the cause comes before those that lost it.
    std::optional<time_point> named;
    std::vector<bool> lost_others(pods.size(), false);
    for (auto const& e : ended) {
        auto const line = decisive_line_of(*e.pod, e.container());
        bool const lost = line && line->rank == line_rank::consequence;
        if (lost) lost_others[e.member] = true;
        bool const names_cause = e.kind == cause_kind::out_of_memory || e.kind == cause_kind::command_not_found ||
                                 e.kind == cause_kind::evicted || (line && line->rank == line_rank::root);
        auto const at = e.end->finished_at;
        if (names_cause && !lost && at && (!named || *at < *named)) named = at;
    }
    auto const key = [&](ended_container const& e) {
        auto const rank = layout.members[e.member].rank.value_or(static_cast<std::int32_t>(e.member));
        auto const at = e.end->finished_at.value_or(time_point::max());
        bool const lost = lost_others[e.member];
        bool const before_root = lost && named && at < *named && *named - at <= following;
        // Times are whole seconds: a replica that was stopped, or lost another one, was not the first of its second.
        return std::tuple(before_root ? *named : at, signal_of(*e.end) == 15, lost, !trains(e.member, e.container()),
                          rank, e.member);
    };
    std::ranges::sort(ended, {}, key);
    if (ended.empty()) return;
    auto const& first = ended.front();
    for (auto& e : ended) {
        if (e.member == first.member || !e.end->finished_at || !first.end->finished_at) continue;
        auto const later = *e.end->finished_at - *first.end->finished_at;
        bool const alike = later.count() == 0 && e.end->exit_code == first.end->exit_code;
        e.follows = e.kind == cause_kind::exited && !alike && later <= following;
    }
}

std::string findings::name_of(std::size_t member) const {
    auto const& m = layout.members[member];
    auto text = m.role + " " + std::to_string(m.index);
    if (m.rank) text += " (rank " + std::to_string(*m.rank) + ")";
    return text;
}

std::string findings::names_of(std::vector<std::size_t> const& members) const {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < members.size() && i < most; ++i)
        text += (i == 0 ? "" : i + 1 == members.size() ? " and " : ", ") + name_of(members[i]);
    if (members.size() > most) text += " and " + std::to_string(members.size() - most) + " more";
    return text;
}

log_tail const* findings::log_of(core::pod const& p, std::string_view container) const {
    for (auto const& l : evidence.logs)
        if (l.pod == p.metadata.name && l.container == container) return &l;
    return nullptr;
}

std::optional<decisive_line> findings::decisive_line_of(core::pod const& p, std::string_view container) const {
    auto const* const log = log_of(p, container);
    if (log == nullptr) return std::nullopt;
    return log->decisive ? log->decisive : find_decisive_line(log->lines);
}

meta::condition const* findings::holding(std::string_view type) const {
    auto const* const c = condition_of(conditions, type);
    return c != nullptr && c->status == "True" ? c : nullptr;
}

job_event const* findings::newest(std::initializer_list<std::string_view> reasons, std::string_view kind,
                                  std::string_view name) const {
    auto const about = events_of_.find({kind, name});
    if (about == events_of_.end()) return nullptr;
    for (auto at = about->second.rbegin(); at != about->second.rend(); ++at)
        if (std::ranges::find(reasons, evidence.events[*at].reason) != reasons.end()) return &evidence.events[*at];
    return nullptr;
}

bool findings::runs(std::size_t member) const {
    auto const* const p = pods[member];
    return p != nullptr && !p->metadata.deletion_timestamp && p->status.phase == "Running" &&
           std::ranges::any_of(p->status.container_statuses, [](auto const& c) { return c.state.running.has_value(); });
}

bool findings::succeeded(std::size_t member) const {
    return pods[member] != nullptr && pods[member]->status.phase == "Succeeded";
}

std::optional<time_point> findings::runs_since(std::size_t member) const {
    std::optional<time_point> since;
    if (pods[member] == nullptr) return since;
    for (auto const& c : pods[member]->status.container_statuses)
        if (c.state.running && c.state.running->started_at && (!since || *c.state.running->started_at < *since))
            since = c.state.running->started_at;
    return since;
}

/// Containers of the pod that are not among these were injected.
std::vector<std::string> const& findings::containers_of(std::size_t member) const {
    auto const& m = layout.members[member];
    auto [at, added] = containers_.try_emplace(m.role);
    if (!added) return at->second;
    auto const list = evidence.job.pod_of(m).spec.containers;
    auto const trains = evidence.job.rules().facts().training_container;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < list.size(); ++i) order.push_back(i);
    // Where the kind has no rule, a container with a device trains.
    std::ranges::sort(order, {}, [&](std::size_t i) {
        auto const& c = list[i];
        bool const other = trains && !trains->empty() && c.name != *trains;
        bool const guess = !trains;
        return std::tuple(other, guess && is_helper(c.name), guess && !requests_device(c), i);
    });
    for (auto const i : order) at->second.push_back(list[i].name);
    return at->second;
}

bool findings::trains(std::size_t member, std::string_view container) const {
    auto const& names = containers_of(member);
    return !names.empty() && names.front() == container;
}

bool findings::is_sound(std::size_t member) const {
    if (!runs(member)) return false;
    return std::ranges::none_of(pods[member]->status.container_statuses, [&](core::container_status const& c) {
        return c.state.running && (!c.state.running->started_at || now - *c.state.running->started_at <= sound);
    });
}

std::vector<core::pod const*> findings::replaced_pods(std::size_t member) const {
    std::vector<core::pod const*> all;
    for (auto const& [m, p] : replaced_)
        if (m == member) all.push_back(p);
    return all;
}

bool findings::has_not_begun(std::size_t member) const {
    auto const* const p = pods[member];
    if (p == nullptr) return true;
    if (p->status.phase != "Pending" && !p->status.phase.empty()) return false;
    return !has_ended[member];
}

} // namespace kftrain::explaining
