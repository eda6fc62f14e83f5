#include "base/debian_packages.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/explain/exit_status.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

/// Whether a log contains messages of programs that did not find, or lost, other replicas.
bool reports_lost_peers(log_tail const& log) {
    return std::ranges::any_of(log.lines, [](std::string const& l) {
        return contains_any(l, {"connection refused", "connection reset", "timed out", "timeouterror",
                                "name or service not known", "name resolution", "could not resolve", "no route to host",
                                "rendezvous", "clients joined"});
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

/// The program that a shell or the kernel did not find, e.g. of `sh: 1: nslookup: not found`; empty: unknown.
std::string_view missing_program(std::string_view line) {
    for (std::string_view const key : {": command not found", ": not found"}) {
        auto const at = line.find(key);
        if (at == line.npos) continue;
        line = line.substr(0, at);
        auto const begin = line.rfind(' ');
        return begin == line.npos ? line : line.substr(begin + 1);
    }
    return {};
}

std::string package_hint(std::string_view program) {
    auto const package = debian_package_of(program);
    if (package.empty()) return {};
    return " On Debian, package " + std::string(package) + " contains " + std::string(program) + ".";
}

/// The line of its log that explains the end of a container. What a program wrote does not explain why it was killed.
std::optional<decisive_line> explaining_line(findings const& f, ended_container const& e) {
    auto line = f.decisive_line_of(*e.pod, e.container());
    auto const signal = signal_of(*e.end);
    if (signal == 15 || (signal == 9 && line && line->rank != line_rank::root)) line.reset();
    return line;
}

void set_decisive_line(job_cause& c, std::optional<decisive_line> const& line) {
    if (!line) return;
    c.decisive_line = line->text;
    c.advice = std::string(line->advice) + package_hint(missing_program(line->text));
}

/// `Worker 2 (rank 3)`, or `Container envoy of Worker 2 (rank 3)` if the container does not train.
std::string whose_end(findings const& f, ended_container const& e) {
    return (f.trains(e.member, e.container()) ? "" : "Container " + e.container() + " of ") + f.name_of(e.member);
}

std::string quoted(std::optional<decisive_line> const& line) { return line ? ": " + line->text : std::string(); }

/// An init container that runs and whose log shows that it cannot succeed.
struct failing_init {
    failing_init() = default;

    std::size_t member = 0;
    std::string container;
    std::string program;  ///< that is missing
    std::string line;     ///< of the log; may be empty
    std::string evidence; ///< where this was found
    log_tail const* log = nullptr;
};

/// The program in `container init runs nslookup, which is not installed ...`, an event of the local kubelet.
std::string program_in(job_event const* e) {
    constexpr std::string_view before = " runs ", behind = ", which is not installed";
    if (e == nullptr) return {};
    auto const begin = e->message.find(before);
    auto const end = e->message.find(behind);
    if (begin == std::string::npos || end == std::string::npos || begin + before.size() > end) return {};
    return e->message.substr(begin + before.size(), end - begin - before.size());
}

std::vector<failing_init> failing_inits(findings const& f) {
    std::vector<failing_init> all;
    if (f.finished()) return all;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.pods[i] == nullptr) continue;
        for (auto const& c : f.pods[i]->status.init_container_statuses) {
            if (!c.state.running) continue;
            auto const& pod = f.pods[i]->metadata.name;
            failing_init x;
            x.member = i;
            x.container = c.name;
            x.log = f.log_of(*f.pods[i], c.name);
            auto const line = f.decisive_line_of(*f.pods[i], c.name);
            auto const* const e = f.newest({"ProgramNotFound"}, "Pod", pod);
            if (line && line->rank == line_rank::root && !missing_program(line->text).empty()) {
                x.line = line->text;
                x.program = missing_program(line->text);
                x.evidence = "log of container " + c.name + " of pod " + pod + ": " + line->text;
            } else if (auto program = program_in(e); !program.empty()) {
                x.program = std::move(program);
                x.evidence = "event: " + e->to_string();
            } else {
                continue;
            }
            all.push_back(std::move(x));
        }
    }
    return all;
}

/// Describes the first container that ended: exit code, signal and log; and which containers ended after it, if it was
/// the first of all.
void explain_end(found_cause& c, findings const& f, std::vector<ended_container const*> const& ends) {
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
        auto const when = later.count() == 0  ? std::string("at the same time")
                          : later.count() > 0 ? span_of(later) + " later"
                                              : span_of(-later) + " before";
        add_evidence(c.cause, f.name_of(e->member) + " ended with " + exit_text(*e->end) + " " + when +
                                  (later.count() < 0 ? ", and its log reports that it lost another replica"
                                                     : ", probably as a consequence"));
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

void find_failing_init(findings const& f, found_causes& found) {
    auto const all = failing_inits(f);
    if (all.empty()) return;
    std::vector<std::size_t> members;
    for (auto const& x : all)
        if (members.empty() || members.back() != x.member) members.push_back(x.member);
    auto const& first = all.front();
    auto const& program = first.program;
    auto& c = add_cause(found, f, cause_kind::command_not_found, members);
    c.cause.container = first.container;
    c.cause.summary = "Init container " + first.container + " of " + f.names_of(members) + " runs " + program +
                      ", and this program does not exist there, so the " +
                      (members.size() == 1 ? "replica" : "replicas") + " cannot start";
    c.cause.decisive_line = first.line;
    for (auto const& x : all) add_evidence(c.cause, x.evidence);
    if (first.log != nullptr) c.cause.log = first.log->lines;
    c.cause.advice = "Use an image that contains " + program +
                     " for the init container; in a local run, install it on "
                     "this machine." +
                     package_hint(program);
}

} // namespace

void find_out_of_memory(findings const& f, found_causes& found) {
    auto const ends = ends_of(f, cause_kind::out_of_memory, false);
    if (ends.empty()) return;
    auto const list = members_that_ended(f, ends);
    auto const& members = list.get();
    auto& c = add_cause(found, f, cause_kind::out_of_memory, members);
    auto const limit = limit_of(*ends.front());
    c.cause.summary = whose_end(f, *ends.front()) +
                      " was killed because it used more memory than its container is allowed to use: " +
                      (limit.empty() ? "it has no memory limit, so the memory of its pod or node was exhausted"
                                     : "its limit is " + limit) +
                      others(f, members);
    explain_end(c, f, ends);
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
    if (list.empty()) {
        find_failing_init(f, found);
        return;
    }
    auto const& members = list.get();
    auto& c = add_cause(found, f, cause_kind::command_not_found, members);
    c.cause.container = container;
    if (!ends.empty()) explain_end(c, f, ends);
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    bool const denied = (c.cause.code == 126) ||
                        (!c.cause.evidence.empty() && contains_any(c.cause.evidence.front(), {"permission denied"}));
    auto line = ends.empty() ? std::nullopt : explaining_line(f, *ends.front());
    if (line && line->rank != line_rank::root) line.reset();
    c.cause.summary = "The program of container " + c.cause.container + " of " + f.name_of(members.front()) +
                      (denied ? " is not executable" : " was not found") + quoted(line) + others(f, members);
    c.cause.advice = denied ? "Make the file executable, and mount its file system without noexec."
                            : "Check whether the image contains what command, args and workingDir of the container "
                              "name. If the command is a shell, check the programs that the script calls.";
    set_decisive_line(c.cause, line);
}

void find_exited(findings const& f, found_causes& found) {
    auto ends = ends_of(f, cause_kind::exited, false);
    if (ends.empty()) return;
    auto const list = members_that_ended(f, ends);
    auto const& members = list.get();
    auto const& first = *ends.front();
    auto& c = add_cause(found, f, cause_kind::exited, members);
    auto const line = explaining_line(f, first);
    bool const unstarted = first.end->reason == "StartError" || first.end->reason == "ContainerCannotRun";
    c.cause.summary = whose_end(f, first) + (unstarted ? " could not be started: " : " ended with ") +
                      exit_text(*first.end) + quoted(line);
    if (members.size() > 1) {
        std::vector<std::size_t> const rest(members.begin() + 1, members.end());
        c.cause.summary += "; ended later or at the same time: " + f.names_of(rest);
    }
    explain_end(c, f, ends);
    if (!first.end->message.empty() && c.cause.log.empty()) c.cause.log.push_back(first.end->message.substr(0, 500));
    c.cause.advice = exit_advice(*first.end);
    set_decisive_line(c.cause, line);
    bool missing = false;
    for (std::size_t i = 0; i < f.pods.size(); ++i) missing = missing || f.has_not_begun(i);
    auto const* const log = f.log_of(*first.pod, first.container());
    c.consequence = missing && log != nullptr && (!line || line->rank != line_rank::root) && reports_lost_peers(*log);
    if (c.consequence) {
        add_evidence(c.cause,
                     "its log reports that other replicas could not be reached, and some replicas have not started");
        c.cause.advice =
            "Make the missing replicas start first. This replica most likely failed because they were missing.";
    }
}

} // namespace kftrain::explaining
