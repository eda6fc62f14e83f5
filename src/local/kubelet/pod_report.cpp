#include "local/kubelet/pod_report.hpp"

#include <algorithm>

namespace kftrain::local {
namespace {

std::string_view policy_of(pod const& p) {
    return p.spec.restart_policy.empty() ? std::string_view("Always") : std::string_view(p.spec.restart_policy);
}

/// Ended, and not to be started again.
bool ended(pod const& p, pod_record const& known, container_record const& c, bool init) {
    if (!c.state.terminated) return false;
    if (known.leaving) return true;
    // An init container that succeeded is done, whatever the policy says.
    if (init && succeeded(c)) return true;
    return !restarts(policy_of(p), *c.state.terminated);
}

/// Whether a container of the spec has begun in this life of the pod, so that the pod has been initialized.
bool any_begun(pod_record const& known) {
    return std::ranges::any_of(known.containers, [](auto const& c) { return c.state.running || c.state.terminated; });
}

/// A sidecar that was started once counts as started in the phase, even while it waits for its restart.
bool is_pending_sidecar(container_record const& c) {
    if (c.state.running) return c.unstarted;
    return !c.state.terminated && !c.last_state.terminated;
}

std::string_view phase_of(pod const& p, pod_record const& known) {
    bool sidecar_runs = false;
    bool sidecar_pending = false;
    for (std::size_t i = 0; i < known.init_containers.size(); ++i) {
        if (!is_sidecar(p.spec.init_containers[i])) continue;
        sidecar_runs = sidecar_runs || known.init_containers[i].state.running;
        sidecar_pending = sidecar_pending || is_pending_sidecar(known.init_containers[i]);
    }
    for (std::size_t i = 0; i < known.init_containers.size(); ++i) {
        auto const& c = known.init_containers[i];
        if (is_sidecar(p.spec.init_containers[i])) continue;
        if (!ended(p, known, c, true)) return "Pending";
        if (!succeeded(c)) return sidecar_runs && policy_of(p) != "Never" ? "Pending" : "Failed";
    }
    if (sidecar_pending && !any_begun(known)) return "Pending";
    bool const all_ended = std::all_of(known.containers.begin(), known.containers.end(),
                                       [&](auto const& c) { return ended(p, known, c, false); });
    if (all_ended && sidecar_runs) return "Running";
    if (all_ended)
        return std::all_of(known.containers.begin(), known.containers.end(), succeeded) ? "Succeeded" : "Failed";
    // Nothing counts as running before every container has begun once.
    bool const all_begun = std::all_of(known.containers.begin(), known.containers.end(), [](auto const& c) {
        return c.state.running || c.state.terminated || c.last_state.terminated;
    });
    return all_begun ? "Running" : "Pending";
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/status/generate.go`, `GeneratePodInitializedCondition`
bool is_initialized(pod const& p, pod_record const& known) {
    if (any_begun(known)) return true;
    for (std::size_t i = 0; i < known.init_containers.size(); ++i) {
        auto const& c = known.init_containers[i];
        if (is_sidecar(p.spec.init_containers[i]) ? !has_started(c) : !succeeded(c)) return false;
    }
    return true;
}

core::container_status status_of(core::container const& spec, container_record const& known,
                                 std::string_view waiting_for, std::string const& trouble) {
    core::container_status s;
    s.name = spec.name;
    s.image = spec.image;
    s.state = known.state;
    s.last_state = known.last_state;
    s.restart_count = known.restarts;
    s.started = has_started(known);
    s.ready = *s.started && !known.unready;
    if (!s.state.waiting && !s.state.running && !s.state.terminated) {
        s.state.waiting.emplace().reason = waiting_for;
        s.state.waiting->message = trouble;
    }
    return s;
}

void set_condition(core::pod_status& s, core::pod_status const& before, std::string_view type, bool holds,
                   std::string_view reason, time_point now) {
    core::pod_condition c;
    c.type = type;
    c.status = holds ? "True" : "False";
    if (!holds) c.reason = reason;
    c.last_transition_time = now;
    for (auto const& old : before.conditions)
        if (old.type == c.type && old.status == c.status) c.last_transition_time = old.last_transition_time;
    s.conditions.push_back(std::move(c));
}

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

bool succeeded(container_record const& c) noexcept { return c.state.terminated && c.state.terminated->exit_code == 0; }

bool has_started(container_record const& c) noexcept { return c.state.running && !c.unstarted; }

core::pod_status report(pod const& p, pod_record const& known, time_point now) {
    core::pod_status s;
    s.phase = phase_of(p, known);
    if (known.deadline_exceeded) {
        s.phase = "Failed";
        s.reason = "DeadlineExceeded";
        s.message = "Pod was active on the node longer than the specified deadline";
    }
    if (!known.evicted.empty()) {
        s.phase = "Failed";
        s.reason = "Evicted";
        s.message = known.evicted;
    }
    s.host_ip = known.host_address;
    s.pod_ip = known.address;
    if (!known.address.empty()) s.pod_ips.emplace_back().ip = known.address;
    s.start_time = known.started;
    bool const initialized = is_initialized(p, known);
    bool ready = !known.containers.empty();
    std::string_view const waiting_for = initialized ? "ContainerCreating" : "PodInitializing";
    for (std::size_t i = 0; i < known.init_containers.size(); ++i) {
        s.init_container_statuses.push_back(
            status_of(p.spec.init_containers[i], known.init_containers[i], "PodInitializing", known.trouble));
        auto& status = s.init_container_statuses.back();
        if (is_sidecar(p.spec.init_containers[i]))
            ready = ready && status.ready;
        else
            status.ready = succeeded(known.init_containers[i]);
    }
    for (std::size_t i = 0; i < known.containers.size(); ++i) {
        s.container_statuses.push_back(
            status_of(p.spec.containers[i], known.containers[i], waiting_for, known.trouble));
        ready = ready && s.container_statuses.back().ready;
    }

    if (s.phase == "Succeeded" || s.phase == "Failed") ready = false;
    std::string_view const unready = s.phase == "Succeeded" ? "PodCompleted"
                                     : s.phase == "Failed"  ? "PodFailed"
                                                            : "ContainersNotReady";
    set_condition(s, p.status, "PodScheduled", true, {}, now);
    set_condition(s, p.status, "Initialized", initialized, "ContainersNotInitialized", now);
    set_condition(s, p.status, "ContainersReady", ready, unready, now);
    set_condition(s, p.status, "Ready", ready, unready, now);
    // Those of others stay, such as DisruptionTarget of the scheduler.
    for (auto const& c : p.status.conditions)
        if (std::ranges::find(s.conditions, c.type, &core::pod_condition::type) == s.conditions.end())
            s.conditions.push_back(c);
    return s;
}

core::pod_status report_refusal(std::string reason, std::string message, time_point now) {
    core::pod_status s;
    s.phase = "Failed";
    s.reason = std::move(reason);
    s.message = std::move(message);
    s.start_time = now;
    return s;
}

std::chrono::seconds restart_delay(int failures) noexcept {
    constexpr std::chrono::seconds first{10};
    constexpr std::chrono::seconds limit{300};
    if (failures == 0) return {};
    return std::min<std::chrono::seconds>(first * (1U << std::clamp(failures - 1, 0, 5)), limit);
}

bool outlived_back_off(core::container_state_terminated const& t) noexcept {
    return t.started_at && t.finished_at && *t.finished_at - *t.started_at >= 2 * restart_delay(99);
}

std::string in_minutes(std::chrono::seconds t) {
    auto const minutes = t.count() / 60;
    return (minutes == 0 ? std::string() : std::to_string(minutes) + "m") + std::to_string(t.count() % 60) + "s";
}

bool restarts(std::string_view restart_policy, core::container_state_terminated const& t) noexcept {
    return restart_policy == "Always" || (restart_policy == "OnFailure" && t.exit_code != 0);
}

core::container_state_terminated terminated(int code, int signal, std::optional<time_point> started,
                                            time_point finished) {
    core::container_state_terminated t;
    // Container runtimes report a signal as exit code 128 + n, and leave the signal field alone.
    t.exit_code = signal != 0 ? 128 + signal : code;
    t.reason = t.exit_code == 0 ? "Completed" : "Error";
    t.started_at = started;
    t.finished_at = finished;
    return t;
}

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
