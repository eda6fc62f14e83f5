#include "facade/explain/causes.hpp"
#include "facade/explain/exit_status.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

/// Words of programs that did not find, or lost, the others.
bool tells_of_lost_peers(log_tail const& log) {
    return std::ranges::any_of(log.lines, [](std::string const& l) {
        return contains_any(l, {"connection refused", "connection reset", "timed out", "timeouterror",
                                "name or service not known", "name resolution", "could not resolve", "no route to host",
                                "rendezvous"});
    });
}

std::string place_of(ended_container const& e) {
    return "container " + e.container() + " of pod " + e.pod->metadata.name;
}

std::string line_of(ended_container const& e) {
    auto text = place_of(e) + ": " + exit_text(*e.end);
    if (!e.end->reason.empty()) text += ", " + e.end->reason;
    if (!e.end->message.empty()) text += ", " + e.end->message;
    if (e.end->finished_at) {
        text += ", at ";
        print_scalar(*e.end->finished_at, text);
    }
    return text;
}

member_list members_that_ended(findings const& f, std::vector<ended_container const*> const& ends) {
    member_list members(f);
    for (auto const* e : ends) members.add(e->member);
    return members;
}

std::vector<ended_container const*> ends_of(findings const& f, cause_kind kind, bool followers) {
    std::vector<ended_container const*> ends;
    for (auto const& e : f.ended)
        if (e.kind == kind && e.follows == followers) ends.push_back(&e);
    return ends;
}

/// What the cause has of the first that ended: container, code, signal, log; and who ended after it, if it was the first of all.
void tell_end(found_cause& c, findings const& f, std::vector<ended_container const*> const& ends) {
    auto const& first = *ends.front();
    c.at = first.end->finished_at;
    c.cause.container = first.container();
    c.cause.code = first.end->exit_code;
    c.cause.signal = signal_name(signal_of(*first.end));
    if (auto const* const log = f.log_of(*first.pod, first.container())) c.cause.log = log->lines;
    for (auto const* e : ends) add_evidence(c.cause, line_of(*e));
    if (&first != &f.ended.front()) return;
    for (auto const* e : ends_of(f, cause_kind::exited, true)) {
        auto const later = *e->end->finished_at - *first.end->finished_at;
        add_evidence(c.cause, f.name_of(e->member) + " ended with " + exit_text(*e->end) + " " +
                                  (later.count() == 0 ? "at the same time" : span_of(later) + " later") +
                                  ", probably as a consequence");
    }
}

/// `; so did Worker 1 and Worker 2`, of all but the first.
std::string others(findings const& f, std::vector<std::size_t> members) {
    if (members.size() < 2) return {};
    members.erase(members.begin());
    return "; the same happened to " + f.names_of(members);
}

std::string limit_of(ended_container const& e) {
    for (auto const* list : {&e.pod->spec.containers, &e.pod->spec.init_containers})
        for (auto const& c : *list)
            if (c.name == e.container())
                if (auto const at = c.resources.limits.find("memory"); at != c.resources.limits.end())
                    return at->second.text();
    return {};
}

} // namespace

void find_out_of_memory(findings const& f, found_causes& found) {
    auto const ends = ends_of(f, cause_kind::out_of_memory, false);
    if (ends.empty()) return;
    auto const list = members_that_ended(f, ends);
    auto const& members = list.get();
    auto& c = add_cause(found, f, cause_kind::out_of_memory, members);
    auto const limit = limit_of(*ends.front());
    c.cause.summary = f.name_of(members.front()) +
                      " was killed because it used more memory than its container is allowed to use: " +
                      (limit.empty() ? "it has no memory limit, so the memory of its pod or node was exhausted"
                                     : "its limit is " + limit) +
                      others(f, members);
    tell_end(c, f, ends);
    if (c.cause.signal.empty()) c.cause.signal = "SIGKILL";
    c.cause.advice = "Raise the memory limit of container " + c.cause.container +
                     ", or reduce its memory use, for example with smaller batches or fewer loader processes. Shared "
                     "memory in an emptyDir counts, too.";
}

void find_command_not_found(findings const& f, found_causes& found) {
    auto const ends = ends_of(f, cause_kind::command_not_found, false);
    auto list = members_that_ended(f, ends);
    std::vector<std::string> lines;
    std::string container;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.pods[i] == nullptr || f.finished()) continue;
        for (auto const& c : f.pods[i]->status.container_statuses) {
            if (!c.state.waiting || !names_missing_program(c.state.waiting->message)) continue;
            lines.push_back("container " + c.name + " of pod " + f.pods[i]->metadata.name + ": " +
                            c.state.waiting->reason + ", " + c.state.waiting->message);
            if (container.empty()) container = c.name;
            list.add(i);
        }
    }
    if (list.empty()) return;
    auto const& members = list.get();
    auto& c = add_cause(found, f, cause_kind::command_not_found, members);
    c.cause.container = container;
    if (!ends.empty()) tell_end(c, f, ends);
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    bool const denied = (c.cause.code == 126) ||
                        (!c.cause.evidence.empty() && contains_any(c.cause.evidence.front(), {"permission denied"}));
    c.cause.summary = "The program of container " + c.cause.container + " of " + f.name_of(members.front()) +
                      (denied ? " is not executable" : " was not found") + others(f, members);
    c.cause.advice = denied ? "Make the file executable, and mount its file system without noexec."
                            : "Check whether the image contains what command, args and workingDir of the container "
                              "name. If the command is a shell, check the programs that the script calls.";
}

void find_exited(findings const& f, found_causes& found) {
    auto ends = ends_of(f, cause_kind::exited, false);
    if (ends.empty()) return;
    auto const list = members_that_ended(f, ends);
    auto const& members = list.get();
    auto const& first = *ends.front();
    auto& c = add_cause(found, f, cause_kind::exited, members);
    bool const unstarted = first.end->reason == "StartError" || first.end->reason == "ContainerCannotRun";
    c.cause.summary =
        f.name_of(members.front()) + (unstarted ? " could not be started: " : " ended with ") + exit_text(*first.end);
    if (members.size() > 1) {
        std::vector<std::size_t> const rest(members.begin() + 1, members.end());
        c.cause.summary += "; ended later or at the same time: " + f.names_of(rest);
    }
    tell_end(c, f, ends);
    if (!first.end->message.empty() && c.cause.log.empty()) c.cause.log.push_back(first.end->message.substr(0, 500));
    c.cause.advice = exit_advice(*first.end);
    auto const* const log = f.log_of(*first.pod, first.container());
    bool missing = false;
    for (std::size_t i = 0; i < f.pods.size(); ++i) missing = missing || f.has_not_begun(i);
    c.consequence = missing && log != nullptr && tells_of_lost_peers(*log);
    if (c.consequence) {
        add_evidence(c.cause,
                     "its log reports that other replicas could not be reached, and some replicas have not started");
        c.cause.advice =
            "Make the missing replicas start first. This replica most likely failed because they were missing.";
    }
}

void find_crash_loop(findings const& f, found_causes& found) {
    constexpr std::int32_t many = 3;
    if (!f.wanted()) return;
    std::vector<std::size_t> members;
    std::vector<std::string> lines;
    std::string container;
    std::int32_t most = 0;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.pods[i] == nullptr) continue;
        auto const& s = f.pods[i]->status;
        for (auto const* list : {&s.init_container_statuses, &s.container_statuses})
            for (auto const& c : *list) {
                bool const waits = c.state.waiting && c.state.waiting->reason == "CrashLoopBackOff";
                bool const often = f.has_ended[i] && c.last_state.terminated &&
                                   c.last_state.terminated->exit_code != 0 && c.restart_count >= many;
                if (!waits && !often) continue;
                if (members.empty() || members.back() != i) members.push_back(i);
                if (container.empty()) container = c.name;
                most = std::max(most, c.restart_count);
                lines.push_back("container " + c.name + " of pod " + f.pods[i]->metadata.name + ": " +
                                counted(static_cast<std::size_t>(std::max(c.restart_count, 0)), "restart") +
                                (waits ? ", " + c.state.waiting->reason + ", " + c.state.waiting->message : ""));
            }
    }
    if (members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::crash_loop, members);
    c.cause.container = container;
    c.cause.summary = "Containers of " + f.names_of(members) + " have failed and restarted, up to " +
                      counted(static_cast<std::size_t>(std::max(most, 0)), "time") + " so far";
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    c.cause.advice = "Fix the cause. Until then, the delay before each restart grows, up to 5 minutes.";
}

} // namespace kftrain::explaining
