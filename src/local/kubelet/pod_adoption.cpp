#include "local/kubelet/pod_adoption.hpp"

#include <algorithm>

namespace kftrain::local {
namespace {

core::container_state lost_container(core::container_state const& before, time_point now) {
    core::container_state s;
    auto& t = s.terminated.emplace();
    t.exit_code = 137;
    t.reason = "ContainerStatusUnknown";
    t.message = "The container could not be located when the pod was terminated";
    if (before.running) t.started_at = before.running->started_at;
    t.finished_at = now;
    return s;
}

} // namespace

bool adopt(pod const& observed, pod_record& record, time_point now) {
    auto const& policy = observed.spec.restart_policy;
    auto const& known = observed.status.container_statuses;
    bool const begun = std::ranges::any_of(
        known, [](auto const& s) { return s.state.running || s.state.terminated || s.last_state.terminated; });
    if (!begun) return true;
    record.started = observed.status.start_time;
    for (std::size_t i = 0; i < observed.spec.containers.size(); ++i) {
        auto& c = record.containers[i];
        auto const s = std::ranges::find(known, observed.spec.containers[i].name, &core::container_status::name);
        if (s == known.end()) continue;
        bool const had_run = s->state.running || s->state.terminated;
        c.restarts = s->restart_count;
        c.runs = s->restart_count + (had_run ? 1 : 0);
        c.last_state = s->last_state;
        if (s->state.terminated)
            c.state = s->state;
        else if (s->state.running || policy == "Never")
            c.state = lost_container(s->state, now);
    }
    return policy != "Never";
}

} // namespace kftrain::local
