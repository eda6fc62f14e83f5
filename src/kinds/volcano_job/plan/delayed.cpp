#include "kinds/volcano_job/plan/requests.hpp"

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

time_point time_of(std::pair<std::string const, delayed_action> const& entry) noexcept { return entry.second.at; }

bool is_of_pod(std::string_view event) noexcept {
    return event == "PodRunning" || event == "PodFailed" || event == "PodEvicted";
}

} // namespace

void job_memory::put_off(request by, std::string action, time_point at) {
    auto& d = delayed[by.pod];
    if (d.by.action == action) return;
    d.by = std::move(by);
    d.by.action = std::move(action);
    d.at = at;
}

void job_memory::drop_needless(request const& r) {
    auto const known = is_of_pod(r.event) ? delayed.find(r.pod) : delayed.end();
    if (known == delayed.end()) return;
    auto const& by = known->second.by;
    bool const recovered = r.event == "PodRunning" && (by.event == "PodFailed" || by.event == "PodEvicted");
    // A new pod of the name waits for itself.
    if (by.event == "PodPending" ? by.pod_uid == r.pod_uid : recovered) delayed.erase(known);
}

void job_memory::drop_like(request const& by, std::string_view action) {
    std::erase_if(delayed, [&](auto const& entry) {
        auto const& d = entry.second;
        if (reach(d.by.action) != reach(action)) return false;
        if (reach(action) == reach_of::task) return d.by.task == by.task;
        return reach(action) == reach_of::job || d.by.pod == by.pod;
    });
}

std::optional<request> job_memory::take_due(time_point now) {
    auto const first = std::ranges::min_element(delayed, {}, &time_of);
    if (first == delayed.end() || time_of(*first) > now) return std::nullopt;
    auto r = std::move(first->second.by);
    delayed.erase(first);
    return r;
}

std::optional<time_point> job_memory::next_due() const {
    auto const first = std::ranges::min_element(delayed, {}, &time_of);
    return first == delayed.end() ? std::nullopt : std::optional(time_of(*first));
}

} // namespace kftrain::volcano
