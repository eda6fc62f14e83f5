#include "base/is_one_of.hpp"
#include "base/whole_number.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/explain/exit_status.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <map>

// Containers that are restarted, and pods that end or are deleted and are created again.
namespace kftrain::explaining {
namespace {

/// The earlier pods of a member, from events and pods that still exist.
struct recreation {
    recreation() = default;

    std::int64_t created = 0;              ///< creations of its pod that events report
    std::int64_t deleted = 0;              ///< deletions of its pod by the operator that events report
    std::int64_t failed = 0;               ///< ends of its pods with a code other than 0
    std::int64_t times = 0;                ///< how often its pod was created again
    std::optional<std::int32_t> code;      ///< the exit code of the last pod that failed
    std::optional<time_point> last;        ///< when the last pod was created, deleted or failed
    job_event const* last_event = nullptr; ///< of the last failure or deletion
};

constexpr std::string_view combined = "(combined from similar events)";

/// The last word of a message, such as the pod of `Created pod: digits-worker-0`.
std::string_view last_word(std::string_view message) {
    while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.remove_suffix(1);
    auto const blank = message.rfind(' ');
    return blank == message.npos ? message : message.substr(blank + 1);
}

/// The pod and code of `Pod: team-a.digits-worker-0 exited with code 3`.
std::optional<std::pair<std::string_view, std::int32_t>> exit_in(std::string_view message, std::string_view ns) {
    constexpr std::string_view key = "Pod: ", infix = " exited with code ";
    auto const begin = message.find(key);
    auto const at = message.find(infix);
    if (begin == message.npos || at == message.npos || at < begin + key.size()) return std::nullopt;
    auto pod = message.substr(begin + key.size(), at - begin - key.size());
    if (pod.starts_with(ns) && pod.size() > ns.size() && pod[ns.size()] == '.') pod.remove_prefix(ns.size() + 1);
    auto const code = read_whole_number<std::int32_t>(last_word(message));
    if (!code) return std::nullopt;
    return std::pair(pod, *code);
}

void note_time(recreation& r, std::optional<time_point> t) {
    if (t && (!r.last || *t > *r.last)) r.last = t;
}

/// Whether events about pods were combined, so that they cannot be counted by pod.
bool has_combined_events(findings const& f) {
    return std::ranges::any_of(f.evidence.events,
                               [](job_event const& e) { return e.message.find(combined) != std::string::npos; });
}

/// By member.
std::vector<recreation> count_recreations(findings const& f) {
    std::vector<recreation> all(f.pods.size());
    std::map<std::string_view, std::size_t> members;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (!f.layout.members[i].pod_name.empty()) members.emplace(f.layout.members[i].pod_name, i);
    auto const find = [&](std::string_view pod) -> recreation* {
        auto const at = members.find(pod);
        return at == members.end() ? nullptr : &all[at->second];
    };
    std::vector<std::int64_t> placed(f.pods.size(), 0);
    std::int64_t suspensions = 0;
    for (auto const& e : f.evidence.events) {
        if (e.message.find(combined) != std::string::npos) continue; // it names the last of several pods
        if (e.object_kind == "Pod") {
            auto const at = members.find(e.object_name);
            if (e.reason == "Scheduled" && at != members.end()) placed[at->second] += e.count;
            continue;
        }
        if (e.reason == "ExitedWithCode") {
            auto const end = exit_in(e.message, f.evidence.job->metadata().namespace_);
            auto* const r = end ? find(end->first) : nullptr;
            if (r == nullptr || end->second == 0) continue;
            r->failed += e.count;
            r->code = end->second; // events are sorted by time
            r->last_event = &e;
            note_time(*r, e.last);
            continue;
        }
        if (e.reason.ends_with("Suspended")) suspensions += e.count;
        auto* const r = find(last_word(e.message));
        // Services have the names of pods.
        if (r == nullptr || e.message.find(" pod: ") == std::string::npos) continue;
        if (e.reason.starts_with("SuccessfulCreate")) r->created += e.count;
        if (e.reason.starts_with("SuccessfulDelete")) r->deleted += e.count, r->last_event = &e;
        note_time(*r, e.last);
    }
    bool const restarts = std::ranges::any_of(
        f.evidence.events, [](job_event const& e) { return e.type == "Warning" && e.reason.ends_with("Restarting"); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& r = all[i];
        std::int64_t kept = 0;
        for (auto const* p : f.replaced_pods(i)) kept += p->status.phase == "Failed" ? 1 : 0;
        r.created = std::max(r.created, placed[i]);
        r.times = std::max({r.created - 1 - suspensions, kept, std::int64_t(0)});
        r.failed = std::max(r.failed, kept);
        // The operator deletes pods that did not fail when the job is scaled, and creates them again later.
        if (r.failed == 0 && !restarts) r.times = std::max(r.times - r.deleted, std::int64_t(0));
    }
    return all;
}

/// So many restarts of one member are a loop.
constexpr std::int64_t many = 3;

/// The evidence for one way in which a job restarts.
struct restart_loop {
    explicit restart_loop(findings const& f) : members(f) {}

    member_list members;
    std::vector<std::string> lines;
    std::string container;
    std::int64_t most = 0;
};

restart_loop restarted_containers(findings const& f) {
    restart_loop loop(f);
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.pods[i] == nullptr) continue;
        auto const& s = f.pods[i]->status;
        for (auto const* list : {&s.init_container_statuses, &s.container_statuses})
            for (auto const& c : *list) {
                bool const waits = c.state.waiting && c.state.waiting->reason == "CrashLoopBackOff";
                bool const often = f.has_ended[i] && c.last_state.terminated &&
                                   c.last_state.terminated->exit_code != 0 && c.restart_count >= many;
                if (!waits && !often) continue;
                loop.members.add(i);
                if (loop.container.empty()) loop.container = c.name;
                loop.most = std::max<std::int64_t>(loop.most, c.restart_count);
                loop.lines.push_back("container " + c.name + " of pod " + f.pods[i]->metadata.name + ": " +
                                     counted(static_cast<std::size_t>(std::max(c.restart_count, 0)), "restart") +
                                     (waits ? ", " + c.state.waiting->reason + ", " + c.state.waiting->message : ""));
            }
    }
    return loop;
}

core::container_state_terminated end_with(std::int32_t code) {
    core::container_state_terminated end;
    end.exit_code = code;
    return end;
}

/// Members whose pods were created again so often that it is a loop, the one with the most first.
std::vector<std::size_t> recreated_members(findings const& f, std::vector<recreation> const& all) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].times >= many && !f.is_sound(i) && !f.succeeded(i)) members.push_back(i);
    std::ranges::sort(members, [&](std::size_t a, std::size_t b) {
        return all[a].times == all[b].times ? a < b : all[a].times > all[b].times;
    });
    return members;
}

/// Sets what is known of the exit code of pods that are gone.
void set_code(found_cause& c, std::optional<std::int32_t> code) {
    if (!code || *code == 0) return;
    auto const end = end_with(*code);
    c.cause.code = code;
    c.cause.signal = signal_name(signal_of(end));
    c.cause.summary += "; the last one ended with " + exit_text(end);
    c.cause.advice = exit_advice(end);
}

void report_recreations(found_cause& c, findings const& f, std::vector<recreation> const& all,
                        std::vector<std::size_t> const& members) {
    auto const& most = all[members.front()];
    c.cause.restarts = most.times;
    c.cause.summary = "The " + std::string(members.size() == 1 ? "pod of " : "pods of ") + f.names_of(members) +
                      (members.size() == 1 ? " was" : " were") + " created again " +
                      (members.size() == 1 ? "" : "up to ") + counted(static_cast<std::size_t>(most.times), "time");
    c.cause.advice = "Find out why the pods end: read their logs while they run.";
    set_code(c, most.code);
    for (auto const i : members) {
        auto const& r = all[i];
        auto const& name = f.layout.members[i].pod_name;
        auto line = (name.empty() ? f.name_of(i) : "pod " + name) + ": created again " +
                    counted(static_cast<std::size_t>(r.times), "time");
        if (r.code) line += ", last " + exit_text(end_with(*r.code));
        add_evidence(c.cause, std::move(line));
        if (r.last_event != nullptr) add_evidence(c.cause, *r.last_event);
    }
    if (is_one_of(f.layout.members[members.front()].role, f.evidence.job.policies().unlimited_roles))
        c.cause.advice += " With restartPolicy ExitCode, backoffLimit does not count these restarts, so they go on.";
}

/// A job that its operator restarts as a whole, by the count in its status.
void find_job_restarts(findings const& f, found_causes& found) {
    auto const retries = f.evidence.job.policies().restarts;
    if (!retries || retries->done == 0 || !f.wanted()) return;
    job_event const* restarted = nullptr;
    for (auto const& e : f.evidence.events)
        if (e.reason == "ExecuteAction" && contains_any(e.message, {"RestartJob", "RestartTask", "RestartPod"}))
            restarted = &e;
    bool all_sound = !f.pods.empty();
    for (std::size_t i = 0; i < f.pods.size(); ++i) all_sound = all_sound && (f.is_sound(i) || f.succeeded(i));
    // Without such an action, the count is that of resumptions.
    if (all_sound || restarted == nullptr) return;
    auto& c = add_cause(found, f, cause_kind::crash_loop, {});
    c.cause.restarts = retries->done;
    c.cause.summary = "The job was restarted " + counted(static_cast<std::size_t>(retries->done), "time") +
                      " because of its policies; it fails when retryCount reaches maxRetry " +
                      std::to_string(retries->limit);
    add_evidence(c.cause, "status.retryCount is " + std::to_string(retries->done));
    add_evidence(c.cause, *restarted);
    std::optional<std::int32_t> code;
    for (auto const& e : f.ended)
        if (!code) code = e.end->exit_code;
    c.cause.advice = "Find out why pods of the job fail: read their logs while they run.";
    if (code) {
        c.cause.summary += "; a container ended with " + exit_text(end_with(*code));
        c.cause.code = code;
        c.cause.signal = signal_name(signal_of(end_with(*code)));
    }
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

void find_crash_loop(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    if (auto loop = restarted_containers(f); !loop.members.empty()) {
        auto& c = add_cause(found, f, cause_kind::crash_loop, loop.members.get());
        c.cause.container = loop.container;
        c.cause.restarts = std::max<std::int64_t>(loop.most, 0);
        c.cause.summary = "Containers of " + f.names_of(loop.members.get()) + " have failed and restarted, up to " +
                          counted(static_cast<std::size_t>(std::max<std::int64_t>(loop.most, 0)), "time") + " so far";
        for (auto& l : loop.lines) add_evidence(c.cause, std::move(l));
        c.cause.advice = "Fix the cause. Until then, the delay before each restart grows, up to 5 minutes.";
        return;
    }
    auto const all = count_recreations(f);
    if (auto const members = recreated_members(f, all); !members.empty()) {
        auto& c = add_cause(found, f, cause_kind::crash_loop, members);
        report_recreations(c, f, all, members);
        return;
    }
    find_job_restarts(f, found);
}

void find_recreated(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    auto const all = count_recreations(f);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].code && *all[i].code != 0 && all[i].times > 0 && all[i].times < many && !f.is_sound(i) &&
            !f.has_ended[i] && !f.succeeded(i))
            members.push_back(i);
    if (members.empty()) return;
    auto const& first = all[members.front()];
    auto const end = end_with(*first.code);
    bool const known =
        std::ranges::any_of(found, [](found_cause const& c) { return c.cause.kind == cause_kind::exited; });
    if (known) return;
    auto& c = add_cause(found, f, cause_kind::exited, members);
    c.at = first.last;
    c.cause.code = first.code;
    c.cause.signal = signal_name(signal_of(end));
    c.cause.summary = f.name_of(members.front()) + " ended with " + exit_text(end) + ", and its pod was created again";
    for (auto const i : members)
        if (all[i].last_event != nullptr) add_evidence(c.cause, *all[i].last_event);
    c.cause.advice = exit_advice(end);
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

} // namespace kftrain::explaining
