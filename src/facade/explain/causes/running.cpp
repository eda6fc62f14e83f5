#include "base/ascii.hpp"
#include "base/whole_number.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/explain/exit_status.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <map>
#include <set>

// Replicas that run, but wait for others, write nothing, or do not end.
namespace kftrain::explaining {
namespace {

/// Roles of which enough members run for an elastic job to do without the others.
std::set<std::string> roles_with_enough(findings const& f) {
    std::set<std::string> enough;
    // A launcher starts when all hosts exist, so the minimum of its workers only limits scaling.
    if (!f.evidence.job->rules().facts().launcher.empty()) return enough;
    std::map<std::string, std::int32_t> running;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.runs(i)) ++running[f.layout.members[i].role];
    auto const scaling = f.evidence.job.scaling();
    for (auto const& p : scaling.places)
        if (p.least.value_or(0) > 0 && running[p.role] >= *p.least) enough.insert(p.role);
    return enough;
}

/// The last count that a program reported, e.g. 120 of `step 120/1000`.
struct progress {
    progress() = default;

    std::string_view unit;
    std::int64_t epoch = 0; ///< of the same line, if counts start from 0 in each
    std::int64_t count = 0;

    auto key() const noexcept { return std::pair(epoch, count); }
    std::string text() const { return (epoch == 0 ? "" : std::to_string(epoch) + ", ") + std::to_string(count); }
};

/// The progress of a member.
struct rank_progress {
    rank_progress(std::size_t m, time_point t, std::optional<progress> r) : member(m), last(t), reached(r) {}

    std::size_t member;
    time_point last; ///< when it wrote its last line
    std::optional<progress> reached;
};

std::optional<std::int64_t> number_behind(std::string_view lower, std::string_view unit) {
    auto const at = lower.rfind(unit);
    if (at == lower.npos || (at > 0 && is_letter(lower[at - 1]))) return std::nullopt;
    auto rest = lower.substr(at + unit.size());
    auto const begin = rest.find_first_not_of(" =:[#(\"'");
    if (begin == rest.npos || begin > 4 || !is_digit(rest[begin])) return std::nullopt;
    rest = rest.substr(begin);
    return read_whole_number<std::int64_t>(rest.substr(0, rest.find_first_not_of("0123456789")));
}

std::optional<progress> progress_in(std::vector<std::string> const& lines) {
    for (std::string_view const unit : {"step", "iteration", "iter", "batch", "epoch", "round"})
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            if (auto const count = number_behind(to_lower(*line), unit)) {
                progress p;
                p.unit = unit;
                p.count = *count;
                if (unit != "epoch") p.epoch = number_behind(to_lower(*line), "epoch").value_or(0);
                return p;
            }
    return std::nullopt;
}

/// The member that is behind all others, and how this shows: by the counts that all report, or by the time of the last
/// output. Absent if there is no such member.
std::optional<std::pair<std::size_t, std::string>> rank_behind(std::vector<rank_progress> all, findings const& f) {
    constexpr std::chrono::seconds clearly{30};
    if (all.size() < 2) return std::nullopt;
    bool const counts = std::ranges::all_of(all, [&](rank_progress const& r) {
        return r.reached && all.front().reached && r.reached->unit == all.front().reached->unit;
    });
    if (counts) {
        std::ranges::sort(all, {}, [](rank_progress const& r) { return std::pair(r.reached->key(), r.member); });
        if (all[0].reached->key() < all[1].reached->key())
            return std::pair(all[0].member, f.name_of(all[0].member) + " is behind the others: its last " +
                                                std::string(all[0].reached->epoch == 0 ? "" : "epoch and ") +
                                                std::string(all[0].reached->unit) + " is " + all[0].reached->text() +
                                                ", theirs is " + all[1].reached->text());
    }
    std::ranges::sort(all, {}, [](rank_progress const& r) { return std::pair(r.last, r.member); });
    // With two members, either may simply write less.
    if (all.size() < 3 || all[1].last - all[0].last < clearly) return std::nullopt;
    return std::pair(all[0].member, f.name_of(all[0].member) + " became silent " + span_of(all[1].last - all[0].last) +
                                        " before the others");
}

bool ended_for_good(core::pod const& p, core::container_status const& c) {
    if (!c.state.terminated) return false;
    auto const& policy = p.spec.restart_policy;
    return policy == "Never" || (policy == "OnFailure" && c.state.terminated->exit_code == 0);
}

/// A container that ended for good, and the ones that keep its pod running.
struct kept_pod {
    kept_pod() = default;

    std::size_t member = 0;
    core::container_status const* main = nullptr;
    std::vector<std::string> running;
    bool injected = false; ///< the first of `running` is in no template of the job
};

std::optional<kept_pod> kept_pod_of(findings const& f, std::size_t member) {
    auto const* const p = f.pods[member];
    if (!f.runs(member)) return std::nullopt;
    kept_pod k;
    k.member = member;
    std::vector<core::container_status const*> running;
    for (auto const& c : p->status.container_statuses)
        if (c.state.running) running.push_back(&c);
    if (running.size() == p->status.container_statuses.size()) return std::nullopt;
    auto const& written = f.containers_of(member);
    if (written.empty()) return std::nullopt;
    for (auto const& c : p->status.container_statuses)
        if (c.name == written.front() && ended_for_good(*p, c)) k.main = &c;
    if (k.main == nullptr) return std::nullopt;
    for (auto const* c : running) k.running.push_back(c->name);
    k.injected = std::ranges::find(written, k.running.front()) == written.end();
    return k;
}

std::string sidecar_advice(kept_pod const& k) {
    auto const& name = k.running.front();
    if (name == "istio-proxy")
        return "Set annotation sidecar.istio.io/inject to \"false\" in the pod template, or let the training command "
               "end the proxy: curl -fsI -X POST http://localhost:15020/quitquitquit.";
    if (name == "linkerd-proxy")
        return "Set annotation linkerd.io/inject to disabled in the pod template, or let the training command end the "
               "proxy: curl -X POST http://localhost:4191/shutdown.";
    if (k.injected)
        return "Turn off the injection of container " + name +
               " for these pods, or let it end when the training container ends.";
    return "Let container " + name +
           " end when the training container ends, or move it to initContainers with restartPolicy Always: then it "
           "does not keep the pod.";
}

} // namespace

void find_rendezvous(findings const& f, found_causes& found) {
    constexpr std::chrono::seconds patience{60};
    if (!f.wanted() || !f.evidence.pods_known || f.pods.size() < 2) return;
    auto const enough = roles_with_enough(f);
    std::vector<std::size_t> running, missing;
    std::optional<time_point> since;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.runs(i)) {
            running.push_back(i);
            if (auto const t = f.runs_since(i); t && (!since || *t < *since)) since = t;
        } else if (!f.succeeded(i) && !enough.contains(f.layout.members[i].role)) {
            missing.push_back(i);
        }
    }
    if (running.empty() || missing.empty() || (since && f.now - *since < patience)) return;
    auto& c = add_cause(found, f, cause_kind::rendezvous, missing);
    c.cause.summary = std::to_string(running.size()) + " of " + counted(f.pods.size(), "replica") +
                      (running.size() == 1 ? " runs" : " run") + ", others are missing: " + f.names_of(missing);
    if (since) add_evidence(c.cause, "the first of them has been running for " + span_of(f.now - *since));
    for (auto const i : missing)
        add_evidence(c.cause,
                     f.name_of(i) + ": " +
                         (f.is_absent(i) ? "no pod exists"
                                         : "pod " + f.pods[i]->metadata.name + " is " + f.pods[i]->status.phase));
    for (auto const i : running)
        for (auto const& log : f.evidence.logs) {
            if (log.pod != f.pods[i]->metadata.name) continue;
            for (auto const& line : log.lines)
                if (contains_any(line, {"rendezvous", "waiting for", "connection refused", "timed out",
                                        "name or service not known", "could not resolve"}))
                    add_evidence(c.cause, "log of " + f.name_of(i) + ": " + line);
        }
    c.cause.advice = "Make the missing replicas run. Most frameworks fail after a time if replicas are missing.";
}

void find_stalled(findings const& f, found_causes& found) {
    if (!f.wanted() || f.evidence.quiet.count() == 0 || f.pods.empty()) return;
    std::vector<std::size_t> looked_at;
    std::optional<time_point> last;
    std::vector<rank_progress> progress;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.succeeded(i)) continue;
        if (!f.runs(i)) return;
        for (auto const& log : f.evidence.logs) {
            if (log.pod != f.pods[i]->metadata.name) continue;
            auto const at = log.last ? log.last : f.runs_since(i);
            if (!at) return;
            if (!last || *at > *last) last = at;
            if (looked_at.empty() || looked_at.back() != i) looked_at.push_back(i);
            progress.emplace_back(i, *at, progress_in(log.lines));
        }
    }
    if (looked_at.empty() || !last || f.now - *last < f.evidence.quiet) return;
    auto& c = add_cause(found, f, cause_kind::stalled, looked_at);
    c.cause.summary = "All replicas run, and " + f.names_of(looked_at) + (looked_at.size() == 1 ? " has" : " have") +
                      " written no output since ";
    print_scalar(*last, c.cause.summary);
    c.cause.summary += ": the job may hang, or work without output";
    add_evidence(c.cause, "no output for " + span_of(f.now - *last));
    add_evidence(c.cause, "logs of " + std::to_string(looked_at.size()) + " of " + counted(f.pods.size(), "replica") +
                              " were read");
    if (auto const behind = rank_behind(progress, f)) {
        c.cause.summary += "; " + behind->second;
        std::erase(looked_at, behind->first);
        looked_at.insert(looked_at.begin(), behind->first);
    }
    for (auto const& log : f.evidence.logs)
        if (f.pods[looked_at.front()]->metadata.name == log.pod && c.cause.log.empty()) {
            c.cause.container = log.container;
            c.cause.log = log.lines;
        }
    c.cause.advice = "Check whether processors and devices are busy. If not, get stack traces of all ranks, for "
                     "example with py-spy, and find the rank whose stack differs.";
}

void find_sidecar(findings const& f, found_causes& found) {
    if (f.layout.members.empty()) return;
    std::vector<kept_pod> kept;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (auto k = kept_pod_of(f, i)) kept.push_back(std::move(*k));
    if (kept.empty()) return;
    std::vector<std::size_t> members;
    for (auto const& k : kept) members.push_back(k.member);
    auto const& first = kept.front();
    auto& c = add_cause(found, f, cause_kind::sidecar, members);
    c.cause.container = first.running.front();
    c.cause.summary = "Container " + first.main->name + " of " + f.names_of(members) + " has ended with " +
                      exit_text(*first.main->state.terminated) + ", but container " + first.running.front() +
                      " still runs and keeps the pod running";
    if (!f.finished()) c.cause.summary += ", so the job does not finish";
    for (auto const& k : kept)
        for (auto const& name : k.running)
            add_evidence(c.cause, "container " + name + " of pod " + f.pods[k.member]->metadata.name + " runs" +
                                      (k.injected ? ", and is not in the pod template of the job" : ""));
    c.cause.advice = sidecar_advice(first);
}

void find_still_running(findings const& f, found_causes& found) {
    constexpr std::chrono::seconds patience{30};
    if (!f.finished()) return;
    member_list members(f);
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.runs(i)) members.add(i);
    if (members.empty()) return;
    std::optional<time_point> ended;
    for (auto const& c : f.conditions)
        if (c.status == "True" && c.last_transition_time && (!ended || *c.last_transition_time > *ended))
            ended = *c.last_transition_time;
    auto const clean_up = f.evidence.job.policies().clean_up;
    bool const has_policy = clean_up.has_value();
    auto const policy = clean_up.value_or(std::string());
    bool const evicted = std::ranges::any_of(f.conditions, [](meta::condition const& o) {
        return o.status == "True" && o.reason.find("Evicted") != std::string::npos;
    });
    bool const uncleaned = evicted && !f.evidence.job->rules().times(f.evidence.job->get()).finished;
    bool const cleans = policy == "Running" || policy == "All" || (!has_policy && policy.empty());
    if (cleans && !uncleaned && ended && f.now - *ended < patience) return; // they are about to be deleted
    auto& c = add_cause(found, f, cause_kind::still_running, members.get());
    c.cause.summary = "The job has ended, but " + f.names_of(members.get()) +
                      (members.get().size() == 1 ? " still runs" : " still run");
    for (auto const i : members.get())
        add_evidence(c.cause, "pod " + f.pods[i]->metadata.name + ": Running" +
                                  (f.pods[i]->spec.node_name.empty() ? "" : " on node " + f.pods[i]->spec.node_name));
    if (has_policy) add_evidence(c.cause, "cleanPodPolicy is " + (policy.empty() ? "not set" : policy));
    if (uncleaned) {
        c.cause.advice =
            "After an eviction the operator does not clean up, and a launcher that ends with 0 still turns "
            "the job into Succeeded. Delete the job to free its resources.";
        return;
    }
    c.cause.advice = "Delete the job to free its resources.";
    if (has_policy && !cleans)
        c.cause.advice += " With cleanPodPolicy Running, the operator deletes such pods when the job ends.";
}

} // namespace kftrain::explaining
