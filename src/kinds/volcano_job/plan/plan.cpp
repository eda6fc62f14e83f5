#include "kinds/volcano_job/plan/pass.hpp"

#include "objects/pod_resources.hpp"

#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/volcano/command.hpp>

#include <algorithm>

namespace kftrain::volcano {

pass::pass(rules::look<job> const& look, std::shared_ptr<job_memory> memory, volcano_operator_options const& options)
    : stored_(look.object),
      next_(look.object),
      world_(look.world),
      now_(look.now),
      memory_(std::move(memory)),
      options_(options) {}

rules::plan pass::run() {
    rules::plan plan;
    auto& waiting = memory_->waiting;
    if (obey_commands()) {
        // what they order comes with the next plan
    } else if (memory_->begun) {
        auto const r = *std::exchange(memory_->begun, std::nullopt);
        carry_out(r, decide(stored_, r, release()).action);
    } else if (auto const next = memory_->take()) {
        take_up(*next);
    } else if (auto const r = memory_->take_due(now_)) {
        carry_out(*r, r->action);
    } else if (memory_->held) {
        auto const again = *std::exchange(memory_->held, std::nullopt);
        carry_out(again, decide(stored_, again, release()).action);
    }
    if (!waiting.empty()) {
        plan.requeue_at = now_;
    } else {
        plan.requeue_at = memory_->next_due();
        end_life(plan);
    }
    plan.steps = todo_.take();
    plan.remember = memory_;
    return plan;
}

/** Deletes Commands before it obeys them, so that each is obeyed once. Upstream drops those that are already gone; here
    they are not in the world. */
bool pass::obey_commands() {
    bool any = false;
    for (auto const& c : world_.of<command>(row::commands)) {
        if (c.metadata.deletion_timestamp) continue;
        any = true;
        todo_.remove(rules::remove(rules::target(command::resource, c.metadata)));
        todo_.emit("Normal", "CommandIssued",
                   "Start to execute command " + c.action +
                       ", and clean it up to make sure executed not more than once.");
        request r("CommandIssued");
        r.action = c.action;
        memory_->waiting.add(std::move(r));
    }
    return any;
}

void pass::take_up(request const& r) {
    memory_->drop_needless(r);
    auto const what = decide(stored_, r, release());
    if (what.delay > kftrain::duration::zero()) {
        put_off(r, what);
        while (auto const next = memory_->take_like(r)) {
            memory_->drop_needless(*next);
            put_off(*next, what);
        }
        return;
    }
    // A sync looks at all pods: one does for all of them that wait for one.
    if (what.action == sync_action)
        while (auto const next = memory_->take_like(r)) memory_->drop_needless(*next);
    else
        todo_.emit("Normal", "ExecuteAction", "Start to execute action " + what.action + " ");
    carry_out(r, what.action);
}

void pass::put_off(request const& r, decision const& what) {
    std::string text;
    print_scalar(what.delay, text);
    todo_.emit("Normal", "ExecuteAction", "Execute action " + what.action + " after " + text);
    memory_->put_off(r, what.action, now_ + std::chrono::ceil<std::chrono::seconds>(what.delay));
}

void pass::carry_out(request const& r, std::string_view action) {
    request_ = r;
    auto const what = operation_of(stored_.status.state.phase, action, release());
    memory_->held.reset(); // a sync stands for it, and of a job that is killed nothing is to come into being
    if (what.kills)
        kill(what);
    else
        sync();
    if (action != sync_action) memory_->drop_like(r, action);
}

/// Deletes a job that was over long enough ago, or waits for that.
void pass::end_life(rules::plan& plan) {
    auto const& seconds = stored_.spec.ttl_seconds_after_finished;
    auto const& state = stored_.status.state;
    if (!seconds || !is_over(state.phase) || !state.last_transition_time) return;
    time_point const end = *state.last_transition_time + std::chrono::seconds(*seconds);
    if (end > now_) {
        plan.requeue_at = std::min(end, plan.requeue_at.value_or(end));
        return;
    }
    rules::remove r(rules::target(job::resource, stored_.metadata));
    r.how = rules::propagation::foreground;
    todo_.add(std::move(r));
}

void pass::enter(std::string_view phase) {
    if (phase.empty()) return;
    status().state.phase = phase;
    status().state.last_transition_time = now_;
    auto& c = status().conditions.emplace_back();
    c.status = phase;
    c.last_transition_time = now_;
}

/// If anything differs.
void pass::write(job_status const& compared_with) {
    if (status() == compared_with) return;
    todo_.add(rules::write_status(next_));
}

std::map<std::string_view, pass::pods_by_name> pass::pods_by_task() const {
    std::map<std::string_view, pods_by_name> all;
    for (auto const& p : world_.of<core::pod>(row::pods))
        if (!is_leaving(p)) all[task_of(p)].emplace(p.metadata.name, &p);
    return all;
}

void pass::count(job_status& s, std::string_view phase, std::string_view task) {
    std::int32_t* counter = &s.unknown_count;
    if (phase == "Pending") counter = &s.pending;
    if (phase == "Running") counter = &s.running;
    if (phase == "Succeeded") counter = &s.succeeded;
    if (phase == "Failed") counter = &s.failed;
    ++*counter;
    if (task.empty()) return;
    ++s.task_status_count[std::string(task)].phase[counter == &s.unknown_count ? "Unknown" : std::string(phase)];
}

priority_map pass::priorities() const {
    priority_map all;
    for (auto const& c : world_.of<scheduling::priority_class>(row::priorities)) all.emplace(c.metadata.name, c.value);
    return all;
}

rules::plan make_plan(rules::job_look<job> const& look, std::span<rules::watched const> rows,
                      volcano_operator_options const& options) {
    // Servers of Volcano store what would take all memory here.
    if (total_replicas(look.object) > most_replicas ||
        environment_bytes(look.object, options) > most_environment_bytes) {
        rules::plan_writer todo;
        todo.emit("Warning", "FailedSynced",
                  "the operator does not process the job: the limits are " + std::to_string(most_replicas) +
                      " replicas in all, and 2048 MiB for the names of pods in environments");
        rules::plan refused;
        refused.steps = todo.take();
        return refused;
    }
    if (auto checked = check_stored(look.job, look.now)) return *std::move(checked);
    auto memory = note_changes(look.object, look.world, rows, look.remembered, options.release);
    return pass(look, std::move(memory), options).run();
}

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
            if (!concerns(what, task, name)) continue;
            if (!keeps_ended || !has_ended(*pod)) {
                todo_.remove(rules::remove(rules::target(core::pod::resource, pod->metadata), pod_removed));
                ++counted.terminating;
            } else if (release() < volcano_release::v1_11_0) {
                count(counted, pod->status.phase, task);
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

bool pass::concerns(operation const& what, std::string_view task, std::string_view pod) const {
    if (what.of == operation::scope::job) return true;
    return task == request_.task && (what.of == operation::scope::task || pod == request_.pod);
}

/// Ignores the markers: v1.10.0 leaves objects without a marker behind.
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
