#include "facade/explain/recreations.hpp"

#include "base/whole_number.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <map>

namespace kftrain::explaining {
namespace {

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

} // namespace

bool has_combined_events(findings const& f) {
    return std::ranges::any_of(f.evidence.events,
                               [](job_event const& e) { return e.message.find(combined) != std::string::npos; });
}

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

std::string policy_action(findings const& f) {
    constexpr std::string_view key = "action ";
    std::string action;
    for (auto const& e : f.evidence.events) {
        if (e.reason == "CommandIssued") return {};
        auto const at = e.message.find(key);
        if (e.reason != "ExecuteAction" || at == std::string::npos) continue;
        auto const rest = std::string_view(e.message).substr(at + key.size());
        action = std::string(rest.substr(0, rest.find(' ')));
    }
    return action;
}

} // namespace kftrain::explaining
