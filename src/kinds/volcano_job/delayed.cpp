#include "kinds/volcano_job/requests.hpp"

#include <algorithm>

/** @file
    Actions that policies put off.
    @par Upstream volcano v1.12.0 `pkg/controllers/job/job_controller.go` */

namespace kftrain::volcano {
namespace {

enum class reach_of : std::uint8_t { job, task, pod };

reach_of reach(std::string_view action) noexcept {
    if (action == "RestartTask") return reach_of::task;
    return action == "RestartPod" ? reach_of::pod : reach_of::job;
}

bool is_of_pod(std::string_view event) noexcept {
    return event == "PodRunning" || event == "PodFailed" || event == "PodEvicted";
}

} // namespace

void job_memory::put_off(request by, std::string action, time_point at) {
    auto const known = std::ranges::find_if(delayed, [&](auto const& d) { return d.by.pod == by.pod; });
    if (known != delayed.end() && known->by.action == action) return;
    if (known != delayed.end()) delayed.erase(known);
    auto& d = delayed.emplace_back();
    d.by = std::move(by);
    d.by.action = std::move(action);
    d.at = at;
}

void job_memory::drop_needless(request const& r) {
    if (!is_of_pod(r.event)) return;
    std::erase_if(delayed, [&](delayed_action const& d) {
        if (d.by.pod != r.pod) return false;
        if (d.by.event == "PodPending") return d.by.pod_uid == r.pod_uid; // a new pod of the name waits for itself
        return r.event == "PodRunning" && (d.by.event == "PodFailed" || d.by.event == "PodEvicted");
    });
}

void job_memory::drop_like(request const& by, std::string_view action) {
    std::erase_if(delayed, [&](delayed_action const& d) {
        if (reach(d.by.action) != reach(action)) return false;
        if (reach(action) == reach_of::task) return d.by.task == by.task;
        return reach(action) == reach_of::job || d.by.pod == by.pod;
    });
}

std::optional<request> job_memory::take_due(time_point now) {
    auto const first = std::ranges::min_element(delayed, {}, &delayed_action::at);
    if (first == delayed.end() || first->at > now) return std::nullopt;
    auto r = std::move(first->by);
    delayed.erase(first);
    return r;
}

std::optional<time_point> job_memory::next_due() const {
    auto const first = std::ranges::min_element(delayed, {}, &delayed_action::at);
    return first == delayed.end() ? std::nullopt : std::optional(first->at);
}

} // namespace kftrain::volcano
