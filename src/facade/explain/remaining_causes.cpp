#include "facade/explain/causes.hpp"
#include "facade/explain/exit_status.hpp"
#include "facade/explain/recreations.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>

namespace kftrain::explaining {
namespace {

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

/// When the deletion of the pod was requested.
std::optional<time_point> deletion_of(core::pod const& p) {
    if (!p.metadata.deletion_timestamp) return std::nullopt;
    return *p.metadata.deletion_timestamp - std::chrono::seconds(p.metadata.deletion_grace_period_seconds.value_or(0));
}

bool is_disruption(job_event const& e) {
    static constexpr std::string_view reasons[]{"Evicted",  "Preempted",    "Preempting", "TaintManagerEviction",
                                                "NodeLost", "NodeNotReady", "Evict",      "NodeShutdown"};
    return std::ranges::find(reasons, e.reason) != std::end(reasons);
}

/// Why the operator itself removes pods at this time, if it may.
bool operator_removes_pods(findings const& f) {
    if (f.suspended || f.evidence.job->metadata().deletion_timestamp) return true;
    return std::ranges::any_of(f.evidence.events, [](job_event const& e) {
        return e.reason == "ExecuteAction" || e.reason.ends_with("Suspended");
    });
}

/// Whether a pod was created so recently that the deletion of the one before matters.
bool is_new(core::pod const& p, time_point now) {
    constexpr std::chrono::seconds recent{600};
    return p.metadata.creation_timestamp && now - *p.metadata.creation_timestamp <= recent;
}

/// Whether the operator leaves the pods of a job when it ends. Not all operators report the pods that they delete.
bool keeps_pods(prepared_job const& job) { return job.policies().clean_up == "None"; }

/// A member whose pod somebody deleted.
struct deletion {
    deletion() = default;

    std::size_t member = 0;
    std::optional<time_point> at;
    std::string line;
};

std::optional<deletion> deletion_by_others(findings const& f, std::size_t i, recreation const& r) {
    deletion d;
    d.member = i;
    auto const* const p = f.pods[i];
    auto const& name = f.layout.members[i].pod_name;
    if (name.empty() || r.deleted > 0 || f.is_sound(i)) return std::nullopt;
    for (auto const& e : f.evidence.events)
        if (e.object_kind == "Pod" && e.object_name == name && is_disruption(e)) return std::nullopt;
    bool const stays = f.wanted() || (f.phase == job_phase::failed && keeps_pods(f.evidence.job));
    if (p != nullptr && p->metadata.deletion_timestamp && stays) {
        auto const* const disrupted = condition_of(p->status.conditions, "DisruptionTarget");
        if (disrupted != nullptr && disrupted->status == "True") return std::nullopt;
        d.at = deletion_of(*p);
        d.line = "pod " + name + " is being deleted, and no event of the operator reports this";
        return d;
    }
    auto const* const killed = f.newest({"Killing"}, "Pod", name);
    bool const by_probe = killed != nullptr && contains_any(killed->message, {"probe", "will be restarted"});
    bool const newer = killed != nullptr && p != nullptr && p->metadata.creation_timestamp && killed->last &&
                       *p->metadata.creation_timestamp >= *killed->last;
    if (killed != nullptr && !by_probe && (p == nullptr || newer) && r.failed == 0) {
        d.at = killed->last;
        d.line = "event: " + killed->to_string();
        return d;
    }
    bool const gone =
        p == nullptr && r.created > 0 && r.failed == 0 && f.phase == job_phase::failed && keeps_pods(f.evidence.job);
    bool const again = p != nullptr && r.times > 0 && r.failed == 0 && f.wanted() && is_new(*p, f.now);
    if (!gone && !again) return std::nullopt;
    d.at = again ? p->metadata.creation_timestamp : std::nullopt;
    d.line = "pod " + name +
             (again ? " was created " + counted(static_cast<std::size_t>(r.created), "time")
                    : std::string(" was created and does not exist any more")) +
             ", and no event of the operator reports its deletion";
    return d;
}

} // namespace

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

void find_deleted(findings const& f, found_causes& found) {
    if (!f.evidence.events_known || !f.evidence.pods_known || operator_removes_pods(f)) return;
    if (f.phase == job_phase::succeeded || has_combined_events(f)) return;
    auto const all = count_recreations(f);
    std::vector<std::size_t> members;
    std::vector<deletion> deletions;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (auto d = deletion_by_others(f, i, all[i])) {
            members.push_back(i);
            deletions.push_back(std::move(*d));
        }
    if (members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::deleted, members);
    for (auto& d : deletions) {
        if (d.at && (!c.at || *d.at < *c.at)) c.at = d.at;
        add_evidence(c.cause, std::move(d.line));
    }
    c.cause.summary = "The " + std::string(members.size() == 1 ? "pod of " : "pods of ") + f.names_of(members) +
                      (members.size() == 1 ? " was" : " were") +
                      " deleted by someone other than the operator, for example with kubectl delete pod";
    c.cause.advice = f.finished()
                         ? "Do not delete pods of a job. To stop it, suspend or delete the job; submit it again to run "
                           "it again."
                         : "Do not delete pods of a job. If the pod is created again, it starts from the beginning: "
                           "the program must "
                           "continue from a checkpoint, and the other replicas must meet it again.";
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
