#include "facade/explain/causes.hpp"
#include "facade/explain/server_texts.hpp"
#include "model/rules/condition_of.hpp"

#include <algorithm>
#include <map>

namespace kftrain::explaining {
namespace {

/// A pod that no node was found for, and what the scheduler says to it.
struct unplaced {
    unplaced() = default;

    std::size_t member = 0;
    std::string reason;
    std::string message;
};

bool is_about_gang(std::string_view message) {
    return says_any(message, {"pod group is not ready", "sibling pods", "tasks in gang", "minavailable", "minmember",
                              "plugin coscheduling", "waiting on permit"});
}

std::vector<unplaced> unplaced_pods(findings const& f) {
    std::vector<unplaced> all;
    if (f.finished()) return all;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        auto const* const p = f.pods[i];
        if (p == nullptr || !p->spec.node_name.empty() || p->metadata.deletion_timestamp || f.has_ended[i]) continue;
        auto const* const c = condition_of(p->status.conditions, "PodScheduled");
        auto const* const e = f.newest({"FailedScheduling", "Unschedulable"}, "Pod", p->metadata.name);
        bool const refused = c != nullptr && c->status == "False";
        if (!refused && (e == nullptr || c != nullptr)) continue;
        auto& u = all.emplace_back();
        u.member = i;
        u.reason = refused ? c->reason : e->reason;
        u.message = refused ? c->message : e->message;
        if (u.message.empty() && e != nullptr) u.message = e->message;
    }
    return all;
}

/// What the containers of a pod ask of a resource together, init containers left out.
std::string asked_for(core::pod const& p, std::string_view resource) {
    if (resource == "pods") return "1";
    quantity sum;
    bool any = false;
    for (auto const& c : p.spec.containers) {
        auto at = c.resources.requests.find(resource);
        if (at == c.resources.requests.end()) {
            at = c.resources.limits.find(resource);
            if (at == c.resources.limits.end()) continue;
        }
        sum += at->second;
        any = true;
    }
    return any ? sum.text() : std::string();
}

std::string placement_advice(std::string const& reasons) {
    if (says_any(reasons, {"insufficient", "too many pods"}))
        return "Ask for less, free or add nodes that have it, or wait until other pods end.";
    if (says_any(reasons, {"taint"}))
        return "Add a toleration for the taint to the pod template, or use nodes without it.";
    if (says_any(reasons, {"node affinity", "node selector"}))
        return "Correct nodeSelector or node affinity, or label nodes accordingly.";
    if (says_any(reasons, {"persistentvolumeclaim", "volume"}))
        return "See whether the claim is there and bound, and whether its volume is in a zone with nodes for the pod.";
    if (says_any(reasons, {"pod affinity", "anti-affinity", "topology spread"}))
        return "Loosen the affinity or spread constraints of the pod template, or add nodes.";
    if (says_any(reasons, {"were unschedulable"})) return "Nodes are cordoned: uncordon or add some.";
    if (says_any(reasons, {"host ports", "free ports"}))
        return "Let pods not ask for the same host port, or add nodes.";
    if (says_any(reasons, {"schedulinggated", "scheduling gate"}))
        return "Whoever set the scheduling gates has to take them away, as a queueing system does when there is room.";
    return "Read what the scheduler says, and change the pod template or the nodes.";
}

std::string gang_advice(std::optional<gang_state> const& g) {
    if (g && g->queue_missing) return "Create queue " + g->queue + ", or name one that is there.";
    if (g && says_any(g->queue_state, {"Closed", "Closing"}))
        return "Open queue " + g->queue + ", or let the job go to another one.";
    if (g && g->phase.empty())
        return "No scheduler has looked at the PodGroup yet: see whether the gang scheduler runs.";
    if (g && !g->queue.empty() && (g->phase == "Pending" || says_any(g->message, {"queue", "overused"})))
        return "See whether queue " + g->queue + " has room for the whole gang, or ask for less.";
    return "Free or add nodes until all fit at the same time, or lower minAvailable if the program starts with fewer.";
}

std::vector<std::size_t> absent_or_evicted(findings const& f, std::map<std::size_t, std::string>& lines) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        auto const& name = f.layout.members[i].pod_name;
        if (f.pods[i] == nullptr) {
            if (name.empty() || !f.wanted()) continue;
            auto const* const e = f.newest({"Evicted", "Preempted", "TaintManagerEviction", "NodeLost"}, "Pod", name);
            if (e == nullptr) continue;
            lines[i] = "event: " + e->to_string();
            members.push_back(i);
            continue;
        }
        auto const& s = f.pods[i]->status;
        auto const* const disrupted = condition_of(s.conditions, "DisruptionTarget");
        std::string line;
        static constexpr std::string_view words[]{
            "Evicted",    "NodeLost",   "NodeShutdown", "Shutdown",
            "Terminated", "Preempting", "NodeAffinity", "UnexpectedAdmissionError"};
        bool const refused = s.phase == "Failed" && s.reason.starts_with("OutOf");
        if (refused || std::ranges::find(words, s.reason) != std::end(words))
            line = s.reason + (s.message.empty() ? "" : ": " + s.message);
        else if (disrupted != nullptr && disrupted->status == "True")
            line = disrupted->reason + (disrupted->message.empty() ? "" : ": " + disrupted->message);
        else if (s.phase == "Unknown")
            line = "its phase is Unknown: node " + f.pods[i]->spec.node_name + " does not answer";
        else if (auto const* const e = f.newest({"NodeNotReady"}, "Pod", name); e != nullptr && f.wanted()) {
            auto const* const ready = condition_of(s.conditions, "Ready");
            if (ready == nullptr || ready->status == "True" || s.phase != "Running") continue;
            line = e->message;
        }
        if (line.empty()) continue;
        lines[i] = "pod " + f.pods[i]->metadata.name +
                   (f.pods[i]->spec.node_name.empty() ? "" : " on node " + f.pods[i]->spec.node_name) + ": " + line;
        members.push_back(i);
    }
    return members;
}

} // namespace

void find_evicted(findings const& f, found_causes& found) {
    std::map<std::size_t, std::string> lines;
    auto const members = absent_or_evicted(f, lines);
    meta::condition const* told = nullptr;
    for (auto const& c : f.conditions)
        if (c.status == "True" && c.reason.find("Evicted") != std::string::npos) told = &c;
    if (members.empty() && told == nullptr) return;
    auto& c = add_cause(found, f, cause_kind::evicted, members);
    std::string text;
    for (auto const& [i, line] : lines) {
        add_evidence(c.cause, line);
        text += line + "\n";
    }
    if (told != nullptr) add_evidence(c.cause, *told);
    for (auto const& e : f.ended)
        if (e.kind == cause_kind::evicted && e.end->finished_at && (!c.at || *e.end->finished_at < *c.at))
            c.at = e.end->finished_at;
    auto const who = members.empty() ? std::string("Members of the job") : f.names_of(members);
    if (says_any(text, {"preempt"})) {
        c.cause.summary = who + " had to make room for pods of a higher priority";
        c.cause.advice =
            "Give the job a higher priority class, or run it where there is room; let it write checkpoints.";
    } else if (says_any(text, {"low on resource", "ephemeral", "emptydir"})) {
        c.cause.summary = who + " was evicted because its node ran short of a resource";
        c.cause.advice =
            "Let the pod ask for what it uses of memory and ephemeral storage, so that it gets a node that has it.";
    } else if (says_any(text, {"outof", "admission", "nodeaffinity"})) {
        c.cause.summary = who + " was refused by its node";
        c.cause.advice = "Usually the pod is made anew elsewhere; if this repeats, look at the devices of the node.";
    } else {
        c.cause.summary = who + " lost its place: evicted, or its node went or does not answer";
        c.cause.advice = "Look at the node; let the job restart such members, and write checkpoints.";
    }
}

void find_unschedulable(findings const& f, found_causes& found) {
    std::vector<std::size_t> members;
    std::string reasons;
    std::vector<std::string> lines;
    std::vector<std::string> first;
    for (auto const& u : unplaced_pods(f)) {
        auto const parsed = parse_placement(u.message);
        bool const concrete = parsed && std::ranges::any_of(parsed->reasons, [](auto const& r) {
                                  return !r.second.empty() && !is_about_gang(r.second);
                              });
        if (is_about_gang(u.message) && !concrete) continue;
        members.push_back(u.member);
        auto const& p = *f.pods[u.member];
        reasons += u.reason + " " + u.message + "\n";
        if (parsed)
            for (auto const& [nodes, why] : parsed->reasons) {
                if (is_about_gang(why)) continue;
                auto const resource = lacked_resource(why);
                auto text = resource.empty() ? why
                                             : asked_for(p, resource) + " of " + std::string(resource) +
                                                   " per pod is more than is free";
                text += nodes == 0 ? ""
                                   : " on " + std::to_string(nodes) + " of " +
                                         counted(static_cast<std::size_t>(parsed->nodes), "node");
                if (std::ranges::find(first, text) == first.end()) first.push_back(std::move(text));
            }
        lines.push_back("pod " + p.metadata.name + ": " + u.reason + ", " + u.message);
    }
    if (members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::unschedulable, members);
    c.cause.summary = "No node is found for " + f.names_of(members);
    if (says_any(reasons, {"schedulinggated"}))
        c.cause.summary = f.names_of(members) + " may not be placed yet: scheduling gates";
    for (std::size_t i = 0; i < first.size() && i < 4; ++i) c.cause.summary += (i == 0 ? ": " : "; ") + first[i];
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    for (auto const& s : f.seen.events)
        if (s.reason == "NotTriggerScaleUp" || s.reason == "TriggeredScaleUp") add_evidence(c.cause, s);
    c.cause.advice = placement_advice(reasons);
}

void find_gang(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    std::vector<std::size_t> members;
    std::vector<std::string> lines;
    for (auto const& u : unplaced_pods(f))
        if (is_about_gang(u.message)) {
            members.push_back(u.member);
            lines.push_back("pod " + f.pods[u.member]->metadata.name + ": " + u.reason + ", " + u.message);
        }
    auto const& g = f.seen.gang;
    bool const waits = g && (g->phase == "Pending" || g->phase == "Inqueue" || g->phase == "PreScheduling" ||
                             g->phase == "Scheduling" || g->phase == "Unknown" || g->phase == "Unschedulable" ||
                             g->phase.empty() || !g->reason.empty());
    std::size_t placed = 0;
    std::vector<std::size_t> unplaced_members;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.pods[i] != nullptr && (!f.pods[i]->spec.node_name.empty() || !f.has_not_begun(i)))
            ++placed;
        else
            unplaced_members.push_back(i);
    bool const short_of =
        g && waits && placed < static_cast<std::size_t>(std::max(g->min_member, 0)) && !unplaced_members.empty();
    if (members.empty() && !short_of) return;
    if (members.empty()) members = unplaced_members;
    auto& c = add_cause(found, f, cause_kind::gang, members);
    c.cause.summary = "The gang waits: ";
    if (g) {
        c.cause.summary += std::to_string(placed) + " of the " + std::to_string(g->min_member) +
                           " members that must start together have a place";
        add_evidence(c.cause, "PodGroup " + g->name + ": phase " + (g->phase.empty() ? "not set" : g->phase) +
                                  ", minMember " + std::to_string(g->min_member) +
                                  (g->queue.empty() ? "" : ", queue " + g->queue) +
                                  (g->reason.empty() ? "" : ", " + g->reason + ": " + g->message));
        if (auto const* const e =
                f.newest({"Unschedulable", "FailedScheduling", "NotEnoughResources"}, "PodGroup", g->name))
            add_evidence(c.cause, *e);
        if (!g->queue_state.empty()) add_evidence(c.cause, "queue " + g->queue + ": " + g->queue_state);
        if (g->queue_missing) add_evidence(c.cause, "queue " + g->queue + " is not there");
    } else {
        c.cause.summary += "members that must start together do not have a place at the same time";
    }
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    c.cause.advice = gang_advice(g);
}

} // namespace kftrain::explaining
