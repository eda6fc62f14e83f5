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

bool has_begun(std::vector<core::container_status> const& all) {
    return std::ranges::any_of(
        all, [](auto const& s) { return s.state.running || s.state.terminated || s.last_state.terminated; });
}

/// Takes over the containers of one list. `ended`: those that do not run have ended, too.
void take_over(std::vector<core::container> const& specs, std::vector<core::container_status> const& known,
               std::vector<container_record>& records, bool ended, time_point now) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
        auto& c = records[i];
        auto const s = std::ranges::find(known, specs[i].name, &core::container_status::name);
        auto const before = s == known.end() ? core::container_status() : *s;
        c.restarts = before.restart_count;
        c.runs = before.restart_count + (before.state.running || before.state.terminated ? 1 : 0);
        c.last_state = before.last_state;
        if (before.state.terminated)
            c.state = before.state;
        else if (before.state.running || ended)
            c.state = lost_container(before.state, now);
    }
}

} // namespace

bool adopt(pod const& observed, pod_record& record, time_point now) {
    auto const& spec = observed.spec;
    auto const& status = observed.status;
    bool const initialized = has_begun(status.container_statuses);
    if (!initialized && !has_begun(status.init_container_statuses)) return true;
    bool const startable = spec.restart_policy != "Never";
    if (startable && !initialized) return true; // the init containers run again
    record.started = status.start_time;
    take_over(spec.containers, status.container_statuses, record.containers, !startable, now);
    if (startable) return true;
    take_over(spec.init_containers, status.init_container_statuses, record.init_containers, true, now);
    return false;
}

} // namespace kftrain::local
