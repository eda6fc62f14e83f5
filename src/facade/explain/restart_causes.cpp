#include "base/is_one_of.hpp"
#include "facade/explain/causes.hpp"
#include "facade/explain/exit_status.hpp"
#include "facade/explain/recreations.hpp"

#include <algorithm>
#include <map>

namespace kftrain::explaining {
namespace {

/// So many restarts of one member are a loop.
constexpr std::int64_t many = 3;

/// What a job shows of one way in which it restarts.
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

} // namespace kftrain::explaining
