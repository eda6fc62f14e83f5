#include "kinds/volcano_job/admission/admission.hpp"

#include "base/joined.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace kftrain::volcano {
namespace {

constexpr std::array<std::string_view, 7> first_events{
    "*", "JobUpdated", "PodEvicted", "PodFailed", "TaskCompleted", "TaskFailed", "Unknown"};
constexpr std::array<std::string_view, 8> later_events{"*",          "JobUpdated",    "PodEvicted", "PodFailed",
                                                       "PodPending", "TaskCompleted", "TaskFailed", "Unknown"};
constexpr std::array<std::string_view, 6> first_actions{"AbortJob",    "CompleteJob", "RestartJob",
                                                        "RestartTask", "ResumeJob",   "TerminateJob"};
constexpr std::array<std::string_view, 7> later_actions{"AbortJob",    "CompleteJob", "RestartJob",  "RestartPod",
                                                        "RestartTask", "ResumeJob",   "TerminateJob"};

/// Upstream prints them in random order.
std::span<std::string_view const> events_of(volcano_release release) noexcept {
    if (release < volcano_release::v1_11_0) return first_events;
    return later_events;
}
std::span<std::string_view const> actions_of(volcano_release release) noexcept {
    if (release < volcano_release::v1_11_0) return first_actions;
    return later_actions;
}

std::string invalid(std::string_view path, std::string_view value, std::string_view why) {
    return std::string(path).append(": Invalid value: \"").append(value).append("\": ").append(why);
}

/// Each name once, in order, the single one last.
std::vector<std::string> named_events(lifecycle_policy const& policy) {
    std::vector<std::string> all;
    auto const add = [&](std::string const& event) {
        if (std::ranges::find(all, event) == all.end()) all.push_back(event);
    };
    for (auto const& event : policy.events) add(event);
    if (!policy.event.empty()) add(policy.event);
    return all;
}

class policy_check {
public:
    policy_check(std::string_view path, volcano_release release) : path_(path), release_(release) {}

    std::vector<std::string> run(std::vector<lifecycle_policy> const& policies) {
        for (auto const& p : policies) {
            auto text = fault_of(p);
            if (text.empty()) continue;
            faults_.push_back(std::move(text));
            break; // upstream looks no further
        }
        if (events_.contains("*") && events_.size() > 1)
            faults_.emplace_back("if there's * here, no other policy should be here");
        return std::move(faults_);
    }

private:
    std::string fault_of(lifecycle_policy const& p) {
        auto const events = named_events(p);
        if (!events.empty() && p.exit_code) return "must not specify event and exitCode simultaneously";
        if (events.empty() && !p.exit_code) return "either event and exitCode should be specified";
        return events.empty() ? fault_of_code(*p.exit_code) : fault_of_events(events, p.action);
    }

    std::string fault_of_events(std::vector<std::string> const& events, std::string const& action) {
        for (auto const& event : events) {
            if (!is_event(event, release_)) return invalid(path_, event, "invalid policy event");
            if (!is_action(action, release_)) return invalid(path_, action, "invalid policy action");
            if (!events_.insert(event).second) return "duplicate event " + event + "  across different policy";
        }
        return {};
    }

    std::string fault_of_code(std::int32_t code) {
        if (code == 0) return "0 is not a valid error code";
        if (!codes_.insert(code).second) return "duplicate exitCode " + std::to_string(code);
        return {};
    }

    std::string_view path_;
    volcano_release release_;
    std::set<std::string, std::less<>> events_;
    std::set<std::int32_t> codes_;
    std::vector<std::string> faults_;
};

} // namespace

bool is_event(std::string_view name, volcano_release release) noexcept {
    return std::ranges::find(events_of(release), name) != events_of(release).end();
}
bool is_action(std::string_view name, volcano_release release) noexcept {
    return std::ranges::find(actions_of(release), name) != actions_of(release).end();
}

std::vector<fault> policy_faults(std::vector<lifecycle_policy> const& policies, std::string path,
                                 std::string_view path_in_message, volcano_release release) {
    auto const found = policy_check(path_in_message, release).run(policies);
    if (found.empty()) return {};
    std::string text = std::to_string(found.size()) + (found.size() == 1 ? " error" : " errors") + " occurred:\n\t* " +
                       joined(found, "\n\t* ") + "\n\n valid events are [" + joined(events_of(release), " ") +
                       "], valid actions are [" + joined(actions_of(release), " ") + "];";
    return {fault("volcano.policies", std::move(path), std::move(text))};
}

} // namespace kftrain::volcano
