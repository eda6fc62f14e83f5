#include "kinds/volcano_job/plan/pass.hpp"

namespace kftrain::volcano {
namespace {

/// As upstream counts: after the greatest number, which only others can have written, comes the least.
std::int32_t one_more(std::int32_t count) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(count) + 1U); }

} // namespace

/** Deletes pods, then the objects of the plugins, then the gang; claims stay. The version increases, so that later
    events of these pods have no effect. If only a task or a pod is killed, everything else stays. Upstream: `killJob`
    in `job_controller_actions.go`, `killPods` since v1.11 */
void pass::kill(operation const& what) {
    bool const last_retry = std::int64_t{stored_.status.retry_count} + 1 >= stored_.spec.max_retry;
    bool const whole = what.of == operation::scope::job;
    bool const keeps_ended = whole && (what.keeps_ended || last_retry);
    job_status counted; // of what stays
    for (auto const& [task, pods] : pods_by_task())
        for (auto const& [name, pod] : pods) {
            auto const& phase = pod->status.phase;
            if (!is_meant(what, task, name)) continue;
            if (!keeps_ended || (phase != "Succeeded" && phase != "Failed")) {
                todo_.remove(rules::remove(rules::target(core::pod::resource, pod->metadata), pod_removed));
                ++counted.terminating;
            } else if (release() < volcano_release::v1_11_0) {
                count(counted, phase, task);
            }
        }
    auto& s = status();
    if (whole) s.version = one_more(s.version);
    s.pending = counted.pending;
    s.running = counted.running;
    s.succeeded = counted.succeeded;
    s.failed = counted.failed;
    s.terminating = counted.terminating;
    s.unknown_count = counted.unknown_count;
    s.task_status_count = counted.task_status_count;
    if (auto const& created = stored_.metadata.creation_timestamp)
        s.running_duration =
            (release() < volcano_release::v1_11_0 ? now_ : stored_.status.state.last_transition_time.value_or(now_)) -
            *created;
    if (what.retries) s.retry_count = one_more(s.retry_count);
    enter(what.next.empty() ? phase_after(stored_, stored_.status.state.phase, s) : what.next);
    if (whole) remove_plugin_objects();
    write(stored_.status);
    if (whole) remove_own<pod_group>(row::groups, group_name(stored_));
}

bool pass::is_meant(operation const& what, std::string_view task, std::string_view pod) const {
    if (what.of == operation::scope::job) return true;
    return task == request_.task && (what.of == operation::scope::task || pod == request_.pod);
}

/// Whatever the markers say: v1.10.0 leaves behind what it has no marker of.
void pass::remove_plugin_objects() {
    for (auto const& [name, arguments] : stored_.spec.plugins) {
        if (name == plugin::mpi && is_designed(options_))
            remove_own<core::config_map>(row::hosts, hostfile_name(stored_));
        if (name == plugin::ray) remove_own<core::service>(row::services, head_name(stored_));
        if (name == plugin::ssh) remove_own<core::secret>(row::secret, secret_name(stored_));
        if (name == plugin::svc) {
            remove_own<core::config_map>(row::hosts, hosts_name(stored_));
            remove_own<core::service>(row::services, stored_.metadata.name);
            if (!svc_of(stored_).disable_network_policy)
                remove_own<networking::network_policy>(row::network_policy, stored_.metadata.name);
        }
        status().controlled_resources.erase("plugin-" + name);
    }
}

template <resource K> void pass::remove_own(std::string_view row, std::string const& name) {
    auto const* const found = world_.find<K>(row, name);
    if (found != nullptr && is_own(stored_, found->metadata))
        todo_.remove(rules::remove(rules::target(K::resource, found->metadata)));
}

} // namespace kftrain::volcano
