#include "facade/explain/causes/causes.hpp"
#include "facade/explain/server_texts.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <map>

namespace kftrain::explaining {
namespace {

/// A pod without a node, and the message of the scheduler.
struct unplaced {
    unplaced() = default;

    std::size_t member = 0;
    std::string reason;
    std::string message;
};

bool is_about_gang(std::string_view message) {
    return contains_any(message, {"pod group is not ready", "sibling pods", "tasks in gang", "minavailable",
                                  "minmember", "plugin coscheduling", "waiting on permit"});
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

/// The sum of the requests of a pod's containers for a resource, without init containers.
std::string requested_amount(core::pod const& p, std::string_view resource) {
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
    if (contains_any(reasons, {"insufficient", "too many pods"}))
        return "Request less, free or add nodes with enough resources, or wait until other pods end.";
    if (contains_any(reasons, {"taint"}))
        return "Add a toleration for the taint to the pod template, or use nodes without it.";
    if (contains_any(reasons, {"node affinity", "node selector"}))
        return "Correct nodeSelector or node affinity, or label nodes accordingly.";
    if (contains_any(reasons, {"persistentvolumeclaim", "volume"}))
        return "Check whether the claim exists and is bound, and whether its volume is in a zone with nodes for the "
               "pod.";
    if (contains_any(reasons, {"pod affinity", "anti-affinity", "topology spread"}))
        return "Loosen the affinity or spread constraints of the pod template, or add nodes.";
    if (contains_any(reasons, {"were unschedulable"}))
        return "The nodes are cordoned. Uncordon them, or add other nodes.";
    if (contains_any(reasons, {"host ports", "free ports"}))
        return "Do not use the same host port in several pods, or add nodes.";
    if (contains_any(reasons, {"schedulinggated", "scheduling gate"}))
        return "The system that set the scheduling gates, such as a queueing system, must remove them.";
    return "Read the message of the scheduler, and change the pod template or the nodes.";
}

std::string gang_advice(std::optional<gang_state> const& g) {
    if (g && g->queue_missing) return "Create queue " + g->queue + ", or name an existing queue.";
    if (g && contains_any(g->queue_state, {"Closed", "Closing"}))
        return "Open queue " + g->queue + ", or move the job to another queue.";
    if (g && g->phase.empty())
        return "No scheduler has processed the PodGroup yet. Check whether the gang scheduler runs.";
    if (g && !g->queue.empty() && (g->phase == "Pending" || contains_any(g->message, {"queue", "overused"})))
        return "Check whether queue " + g->queue + " has room for the whole gang, or request less.";
    return "Free or add nodes until all pods fit at the same time. If the program can start with fewer pods, lower "
           "minAvailable.";
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
        static constexpr std::string_view reasons[]{
            "Evicted",    "NodeLost",   "NodeShutdown", "Shutdown",
            "Terminated", "Preempting", "NodeAffinity", "UnexpectedAdmissionError"};
        bool const refused = s.phase == "Failed" && s.reason.starts_with("OutOf");
        if (refused || std::ranges::find(reasons, s.reason) != std::end(reasons))
            line = s.reason + (s.message.empty() ? "" : ": " + s.message);
        else if (disrupted != nullptr && disrupted->status == "True")
            line = disrupted->reason + (disrupted->message.empty() ? "" : ": " + disrupted->message);
        else if (s.phase == "Unknown")
            line = "its phase is Unknown: node " + f.pods[i]->spec.node_name + " does not respond";
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
    meta::condition const* evicted_condition = nullptr;
    for (auto const& c : f.conditions)
        if (c.status == "True" && c.reason.find("Evicted") != std::string::npos) evicted_condition = &c;
    if (members.empty() && evicted_condition == nullptr) return;
    auto& c = add_cause(found, f, cause_kind::evicted, members);
    std::string text;
    for (auto const& [i, line] : lines) {
        add_evidence(c.cause, line);
        text += line + "\n";
    }
    if (evicted_condition != nullptr) add_evidence(c.cause, *evicted_condition);
    for (auto const& e : f.ended)
        if (e.kind == cause_kind::evicted && e.end->finished_at && (!c.at || *e.end->finished_at < *c.at))
            c.at = e.end->finished_at;
    auto const who = (members.empty() ? std::string("Replicas of the job") : f.names_of(members)) +
                     (members.size() == 1 ? " was" : " were");
    if (contains_any(text, {"preempt"})) {
        c.cause.summary = who + " preempted by pods with a higher priority";
        c.cause.advice = "Give the job a higher priority class, or run it where enough resources are free. Let it "
                         "write checkpoints.";
    } else if (contains_any(text, {"low on resource", "ephemeral", "emptydir"})) {
        c.cause.summary = who + " evicted because the node ran low on a resource";
        c.cause.advice =
            "Request the memory and ephemeral storage that the pod uses, so that it gets a node with enough of them.";
    } else if (contains_any(text, {"outof", "admission", "nodeaffinity"})) {
        c.cause.summary = who + " rejected by the node";
        c.cause.advice =
            "Usually the pod is created again on another node. If this repeats, check the devices of the node.";
    } else {
        c.cause.summary = who + " lost: the pod was evicted, or its node was removed or does not respond";
        c.cause.advice = "Check the node. Let the job restart such replicas, and write checkpoints.";
    }
}

void find_unschedulable(findings const& f, found_causes& found) {
    std::vector<std::size_t> members;
    std::string reasons;
    std::vector<std::string> lines;
    std::vector<std::string> first;
    constexpr std::size_t most_reasons = 4;
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
                auto const amount = resource.empty() ? std::string() : requested_amount(p, resource);
                auto text = resource.empty() ? why
                                             : (amount.empty() ? "" : amount + " of ") + std::string(resource) +
                                                   " per pod exceeds the free amount";
                text += nodes == 0 ? ""
                                   : " on " + std::to_string(nodes) + " of " +
                                         counted(static_cast<std::size_t>(parsed->nodes), "node");
                if (first.size() < most_reasons && std::ranges::find(first, text) == first.end())
                    first.push_back(std::move(text));
            }
        lines.push_back("pod " + p.metadata.name + ": " + u.reason + ", " + u.message);
    }
    if (members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::unschedulable, members);
    c.cause.summary = "No node is suitable for " + f.names_of(members);
    if (contains_any(reasons, {"schedulinggated"}))
        c.cause.summary = f.names_of(members) + " cannot be scheduled yet because of scheduling gates";
    for (std::size_t i = 0; i < first.size(); ++i) c.cause.summary += (i == 0 ? ": " : "; ") + first[i];
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    for (auto const& s : f.evidence.events)
        if (s.reason == "NotTriggerScaleUp" || s.reason == "TriggeredScaleUp") add_evidence(c.cause, s);
    c.cause.advice = placement_advice(reasons);
}

void find_gang(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    std::vector<std::size_t> members;
    if (auto const& queue = f.evidence.missing_queue; !queue.empty()) {
        for (std::size_t i = 0; i < f.pods.size(); ++i)
            if (f.is_absent(i)) members.push_back(i);
        if (members.empty()) return;
        auto& c = add_cause(found, f, cause_kind::gang, members);
        c.cause.summary = "The gang waits: its queue " + queue + " does not exist";
        for (auto const& e : f.evidence.events)
            if (e.type == "Warning" && e.reason == "QueueNotFound") add_evidence(c.cause, e);
        c.cause.advice = "Create queue " + queue + ", or name an existing queue.";
        return;
    }
    std::vector<std::string> lines;
    for (auto const& u : unplaced_pods(f))
        if (is_about_gang(u.message)) {
            members.push_back(u.member);
            lines.push_back("pod " + f.pods[u.member]->metadata.name + ": " + u.reason + ", " + u.message);
        }
    auto const& g = f.evidence.gang;
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
                           " replicas that must start together are placed";
        add_evidence(c.cause, "PodGroup " + g->name + ": phase " + (g->phase.empty() ? "not set" : g->phase) +
                                  ", minMember " + std::to_string(g->min_member) +
                                  (g->queue.empty() ? "" : ", queue " + g->queue) +
                                  (g->reason.empty() ? "" : ", " + g->reason + ": " + g->message));
        if (auto const* const e = f.newest({"Unschedulable", "FailedScheduling", "NotEnoughResources"},
                                           volcano::pod_group::resource.kind, g->name))
            add_evidence(c.cause, *e);
        if (!g->queue_state.empty()) add_evidence(c.cause, "queue " + g->queue + ": " + g->queue_state);
        if (g->queue_missing) add_evidence(c.cause, "queue " + g->queue + " does not exist");
        for (auto const& line : g->holders) add_evidence(c.cause, line);
    } else {
        c.cause.summary += "replicas that must start together cannot be placed at the same time";
    }
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    c.cause.advice = gang_advice(g);
}

} // namespace kftrain::explaining
