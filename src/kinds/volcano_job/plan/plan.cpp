#include "kinds/volcano_job/plan/requests.hpp"
#include "kinds/volcano_job/plan/state.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/job/plan_writer.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/volcano/command.hpp>

#include <algorithm>
#include <map>

namespace kftrain::volcano {
namespace {

constexpr rules::event_messages pod_created("", "", "FailedCreate",
                                            "Error creating pods: [failed to create pod, err: {}]");
constexpr rules::event_messages pod_removed("", "", "FailedDelete", "Error deleting pods: [{}]");
constexpr rules::event_messages plugin_object("", "", "PluginError", "Execute plugin when job add failed, err: {}");
constexpr rules::event_messages claim_made("", "", "PVCError", "Failed to create PVC, err: {}");
constexpr rules::event_messages group_written("", "", "PodGroupError", "Failed to create PodGroup, err: {}");

/// Adds one as upstream does: the greatest number, which only others can have written, becomes the least.
std::int32_t one_more(std::int32_t count) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(count) + 1U); }

/** An object that another owner controls, such as a former job of the same name, will be deleted with that owner, and
    the job would lose it. Upstream uses it. Here the creation fails, is reported, and is retried until that object is
    gone. */
template <resource K> K const* usable(K const* found, job const& job) {
    if (found == nullptr) return nullptr;
    auto const* const owner = controller_of(found->metadata);
    return owner == nullptr || owner->uid == job.metadata.uid ? found : nullptr;
}

/// Whether a former job of the same name controls the claim. Claims of other owners are used.
bool is_left_behind(core::persistent_volume_claim const& claim, job const& job) {
    auto const* const owner = controller_of(claim.metadata);
    return owner != nullptr && owner->uid != job.metadata.uid && owner->name == job.metadata.name &&
           owner->kind == volcano::job::resource.kind && owner->api_version == volcano::job::resource.api_version();
}

template <resource K> rules::replace replacement(K object, rules::event_messages messages) {
    rules::replace r(std::move(object));
    r.event = messages;
    return r;
}

bool are_containers_ready(core::pod const& p) {
    return std::ranges::all_of(p.status.container_statuses, [](auto const& c) { return c.ready; });
}

/// One pass over a job: carries out one request, as one round of upstream's worker does.
class pass {
public:
    pass(rules::look<job> const& look, std::shared_ptr<job_memory> memory, volcano_operator_options const& options)
        : stored_(look.object),
          next_(look.object),
          world_(look.world),
          now_(look.now),
          memory_(std::move(memory)),
          options_(options) {}

    rules::plan run() {
        rules::plan plan;
        auto& waiting = memory_->waiting;
        if (obey_commands()) {
            // the next plan carries out their actions
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

private:
    using pods_by_name = std::map<std::string_view, core::pod const*, std::less<>>;

    job_status& status() noexcept { return next_.status; }
    volcano_release release() const noexcept { return options_.release; }

    /** Deletes Commands before it obeys them, so that each is obeyed once. Upstream drops Commands that are already
        deleted; here they are not in the world. */
    bool obey_commands() {
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

    void take_up(request const& r) {
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
        // A sync examines all pods, so one sync is enough for all requests of a sync.
        if (what.action == sync_action)
            while (auto const next = memory_->take_like(r)) memory_->drop_needless(*next);
        else
            todo_.emit("Normal", "ExecuteAction", "Start to execute action " + what.action + " ");
        carry_out(r, what.action);
    }

    void put_off(request const& r, decision const& what) {
        std::string text;
        print_scalar(what.delay, text);
        todo_.emit("Normal", "ExecuteAction", "Execute action " + what.action + " after " + text);
        memory_->put_off(r, what.action, now_ + std::chrono::ceil<std::chrono::seconds>(what.delay));
    }

    void carry_out(request const& r, std::string_view action) {
        request_ = r;
        auto const what = operation_of(stored_.status.state.phase, action, release());
        memory_->held.reset(); // a sync includes it, and a job that is killed gets no new objects
        if (what.kills)
            kill(what);
        else
            sync();
        if (action != sync_action) memory_->drop_like(r, action);
    }

    /// Deletes the job when its time to live has expired.
    void end_life(rules::plan& plan) {
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

    void enter(std::string_view phase) {
        if (phase.empty()) return;
        status().state.phase = phase;
        status().state.last_transition_time = now_;
        auto& c = status().conditions.emplace_back();
        c.status = phase;
        c.last_transition_time = now_;
    }

    /// Writes the status if it differs.
    void write(job_status const& compared_with) {
        if (status() == compared_with) return;
        todo_.add(rules::write_status(next_));
    }

    std::map<std::string_view, pods_by_name> pods_by_task() const {
        std::map<std::string_view, pods_by_name> all;
        for (auto const& p : world_.of<core::pod>(row::pods))
            if (!is_leaving(p)) all[task_of(p)].emplace(p.metadata.name, &p);
        return all;
    }

    static void count(job_status& s, std::string_view phase, std::string_view task) {
        std::int32_t* counter = &s.unknown_count;
        if (phase == "Pending") counter = &s.pending;
        if (phase == "Running") counter = &s.running;
        if (phase == "Succeeded") counter = &s.succeeded;
        if (phase == "Failed") counter = &s.failed;
        ++*counter;
        if (task.empty()) return;
        ++s.task_status_count[std::string(task)].phase[counter == &s.unknown_count ? "Unknown" : std::string(phase)];
    }

    priority_map priorities() const {
        priority_map all;
        for (auto const& c : world_.of<scheduling::priority_class>(row::priorities))
            all.emplace(c.metadata.name, c.value);
        return all;
    }

    /** Deletes pods, then the objects of the plugins, then the gang; claims stay. The version increases, so that later
        events of these pods have no effect. If only a task or a pod is killed, everything else stays. Upstream:
        `killJob` in `job_controller_actions.go`, `killPods` since v1.11 */
    void kill(operation const& what) {
        bool const last_retry = std::int64_t{stored_.status.retry_count} + 1 >= stored_.spec.max_retry;
        bool const whole = what.of == operation::scope::job;
        bool const keeps_ended = whole && (what.keeps_ended || last_retry);
        job_status counted; // of the pods that stay
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
                (release() < volcano_release::v1_11_0 ? now_
                                                      : stored_.status.state.last_transition_time.value_or(now_)) -
                *created;
        if (what.retries) s.retry_count = one_more(s.retry_count);
        enter(what.next.empty() ? phase_after(stored_, stored_.status.state.phase, s) : what.next);
        if (whole) remove_plugin_objects();
        write(stored_.status);
        if (whole) remove_own<pod_group>(row::groups, group_name(stored_));
    }

    bool concerns(operation const& what, std::string_view task, std::string_view pod) const {
        if (what.of == operation::scope::job) return true;
        return task == request_.task && (what.of == operation::scope::task || pod == request_.pod);
    }

    /// Ignores the markers: v1.10.0 leaves objects without a marker behind.
    void remove_plugin_objects() {
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

    template <resource K> void remove_own(std::string_view row, std::string const& name) {
        auto const* const found = world_.find<K>(row, name);
        if (found != nullptr && is_own(stored_, found->metadata))
            todo_.remove(rules::remove(rules::target(K::resource, found->metadata)));
    }

    /// If the queue forwards its jobs to other clusters, the job gets an annotation first.
    bool find_queue() {
        auto const* const q = world_.find<queue>(row::queue, stored_.spec.queue);
        if (q == nullptr) { // which wakes the job when it comes
            todo_.emit("Warning", "QueueNotFound",
                       "the job waits for queue \"" + stored_.spec.queue + "\", which does not exist");
            memory_->held = request_;
            return false;
        }
        forwarded_ = !q->spec.extend_clusters.empty();
        if (!forwarded_ || annotation_of(stored_.metadata, key::job_forwarding) == "true") return true;
        next_.metadata.annotations[std::string(key::job_forwarding)] = "true";
        todo_.add(rules::change_self(next_));
        memory_->begun = request_;
        return false;
    }

    /// Creates the objects that pods need. False: a later plan carries out the rest of the request.
    bool prepare() {
        if (!find_queue()) return false;
        if (is_initiated(stored_)) {
            ensure_hostfile();
            if (has_plugin(stored_, plugin::svc)) ensure_hosts();
            ensure_group();
            return true;
        }
        return initiate();
    }

    bool initiate() {
        if (stored_.status.state.phase.empty()) {
            status().min_available = stored_.spec.min_available;
            enter(phase::pending);
            write(stored_.status);
            memory_->begun = request_;
            return false;
        }
        ensure_plugin_objects();
        if (!ensure_claims()) return false;
        ensure_group();
        return true;
    }

    void ensure_plugin_objects() {
        ensure_hostfile(); // ignores the markers
        auto& markers = status().controlled_resources;
        for (auto const& [name, messages] : stored_.spec.plugins) {
            std::string const marker = "plugin-" + name;
            if (markers.contains(marker) || !is_plugin(name, options_)) continue;
            if (name == plugin::ray) ensure(row::services, render_head_service(stored_));
            if (name == plugin::ssh) ensure_secret();
            if (name == plugin::svc) {
                ensure_hosts();
                ensure(row::services, render_service(stored_));
                if (!svc_of(stored_).disable_network_policy)
                    ensure(row::network_policy, render_network_policy(stored_));
            }
            if (name != plugin::hcclrank) markers[marker] = name;
        }
    }

    /// Creates the object unless there is one of its name that the job or no owner controls.
    template <class Object> void ensure(std::string_view row, Object object) {
        if (usable(world_.find<Object>(row, object.metadata.name), stored_) != nullptr) return;
        todo_.create(rules::create(std::move(object), plugin_object));
    }

    void ensure_hosts() { ensure_config_map(render_hosts(stored_)); }

    void ensure_hostfile() {
        if (is_designed(options_) && has_plugin(stored_, plugin::mpi)) ensure_config_map(render_hostfile(stored_));
    }

    void ensure_config_map(core::config_map wanted) {
        auto const* const found = usable(world_.find<core::config_map>(row::hosts, wanted.metadata.name), stored_);
        if (found == nullptr) {
            todo_.create(rules::create(std::move(wanted), plugin_object));
        } else if (!(found->data == wanted.data)) {
            core::config_map next = *found;
            next.data = std::move(wanted.data);
            todo_.add(replacement(std::move(next), plugin_object));
        }
    }

    /// Keys stay until the file of hosts changes. The values of the stored Secret are not kept, only its metadata.
    void ensure_secret() {
        auto wanted = render_secret(stored_);
        auto const* const found = usable(world_.find<core::secret>(row::secret, wanted.metadata.name), stored_);
        auto const config = ssh_config(stored_);
        bool const follows = found != nullptr && !memory_->ssh_config.empty() && memory_->ssh_config != config;
        if (found == nullptr) {
            rules::create c(std::move(wanted), plugin_object);
            c.made = secret_recipes(stored_);
            todo_.create(std::move(c));
        } else if (follows) {
            wanted.metadata.uid = found->metadata.uid;
            wanted.metadata.resource_version = found->metadata.resource_version;
            auto r = replacement(std::move(wanted), plugin_object);
            r.made = secret_recipes(stored_);
            todo_.add(std::move(r));
        }
        memory_->ssh_config = config;
    }

    /// Claims get their names before they are created, so that a lost answer costs no second claim.
    bool ensure_claims() {
        rules::change_self named;
        for (std::size_t i = 0; i < stored_.spec.volumes.size(); ++i) {
            auto const& v = stored_.spec.volumes[i];
            if (v.volume_claim_name.empty()) {
                named.made.push_back(claim_name_recipe(i));
                continue;
            }
            auto const* const found = world_.find<core::persistent_volume_claim>(row::claims, v.volume_claim_name);
            bool const there = found != nullptr && (!v.volume_claim || !is_left_behind(*found, stored_));
            if (!there && !v.volume_claim) {
                todo_.emit("Warning", "PVCError",
                           "Failed to create PVC, err: pvc " + v.volume_claim_name +
                               " is not found, the job will be in the Pending state until the PVC is created");
                memory_->held = request_; // the claim wakes the job when it comes
                return false;
            }
            if (!there) todo_.create(rules::create(render_claim(stored_, v), claim_made));
            status().controlled_resources["volume-pvc-" + v.volume_claim_name] = v.volume_claim_name;
        }
        if (named.made.empty()) return true;
        named.object = stored_;
        memory_->begun = request_;
        todo_.add(std::move(named));
        return false;
    }

    /// The group by its name, or by the name that releases before v1.5 used.
    pod_group const* stored_group() const {
        auto const* const found = world_.find<pod_group>(row::groups, group_name(stored_));
        return usable(found != nullptr ? found : world_.find<pod_group>(row::groups, stored_.metadata.name), stored_);
    }

    void ensure_group() {
        auto wanted = render_pod_group(stored_, priorities(), release());
        auto const* const found = stored_group();
        if (found == nullptr) {
            rules::create c(std::move(wanted), group_written);
            todo_.create(std::move(c));
            return;
        }
        pod_group next = *found;
        next.spec.priority_class_name = wanted.spec.priority_class_name;
        next.spec.min_member = wanted.spec.min_member;
        next.spec.min_resources = wanted.spec.min_resources;
        for (auto const& [task, count] : wanted.spec.min_task_member) next.spec.min_task_member[task] = count;
        // v1.9.0 treats amounts that were read as different from equal amounts that were computed.
        auto const& version = found->metadata.resource_version;
        bool const repeats = release() < volcano_release::v1_10_0 && wanted.spec.min_resources &&
                             !wanted.spec.min_resources->empty() && memory_->group_version != version;
        if (repeats || !(next.spec == found->spec)) todo_.add(replacement(std::move(next), group_written));
        memory_->group_version = version;
    }

    /// Upstream: `syncJob` in `job_controller_actions.go`
    void sync() {
        if (!prepare()) return;
        job_status before = stored_.status;
        bool const with_pods = may_create_pods();
        bool changes = false; // since v1.10.0 every difference is a transition
        if (with_pods) {
            job_status counted;
            count_and_create(counted);
            auto& s = status();
            counted.state = std::move(s.state);
            counted.version = s.version;
            counted.retry_count = s.retry_count;
            counted.min_available = stored_.spec.min_available;
            counted.controlled_resources = std::move(s.controlled_resources);
            counted.conditions = std::move(s.conditions);
            counted.unknown = std::move(s.unknown);
            s = std::move(counted);
            changes = !(s == before) || s.task_status_count.empty(); // Go distinguishes an empty map from none
        } else if (release() >= volcano_release::v1_10_0) {
            before = status(); // markers alone are not written
        }
        auto next = phase_after(stored_, stored_.status.state.phase, status());
        if (next.empty() && changes && release() >= volcano_release::v1_10_0) next = stored_.status.state.phase;
        enter(next);
        write(before);
    }

    /// Whether the scheduler has let the gang into the queue.
    bool may_create_pods() {
        auto const* const group = world_.find<pod_group>(row::groups, group_name(stored_));
        if (group == nullptr) return false;
        for (auto const& c : group->status.conditions)
            if (c.type == "Unschedulable")
                todo_.emit("Warning", "PodGroupPending",
                           "PodGroup " + stored_.metadata.namespace_ + ":" + stored_.metadata.name +
                               " unschedule,reason: " + c.message);
        return !group->status.phase.empty() && group->status.phase != "Pending";
    }

    void count_and_create(job_status& counted) {
        auto present = pods_by_task();
        for (auto const& p : world_.of<core::pod>(row::pods)) all_pods_.emplace(p.metadata.name, &p);
        std::vector<core::pod const*> surplus;
        for (auto const& task : stored_.spec.tasks) {
            auto& pods = present[task.name];
            std::vector<std::int32_t> missing;
            for (std::int32_t i = 0; i < replicas_of(task); ++i) {
                auto const at = pods.find(pod_name(stored_, task, i));
                if (at == pods.end()) {
                    missing.push_back(i);
                    continue;
                }
                count(counted, at->second->status.phase, task.name);
                pods.erase(at);
            }
            for (auto const& [name, pod] : pods) surplus.push_back(pod);
            if (!missing.empty() && may_start(task)) create_pods(counted, task, missing);
        }
        for (auto const* pod : surplus) {
            todo_.remove(rules::remove(rules::target(core::pod::resource, pod->metadata), pod_removed));
            ++counted.terminating;
        }
    }

    /// A pod whose name is still taken by a pod that is being deleted counts as unknown, and is created after that.
    void create_pods(job_status& counted, task_spec const& task, std::vector<std::int32_t> const& missing) {
        for (auto const i : missing) {
            if (all_pods_.contains(pod_name(stored_, task, i))) {
                count(counted, {}, task.name); // of no phase
                continue;
            }
            rules::create c(render_pod(stored_, task, i, options_, forwarded_), pod_created);
            c.made = pod_recipes(stored_);
            todo_.create(std::move(c));
            count(counted, "Pending", task.name);
        }
    }

    bool may_start(task_spec const& task) const {
        if (!task.depends_on) return true;
        auto const ready = [&](std::string const& name) {
            auto const* const other = find_task(stored_, name);
            return other != nullptr && is_ready(*other);
        };
        auto const& names = task.depends_on->name;
        if (names.size() > 1 && task.depends_on->iteration == "any") return std::ranges::any_of(names, ready);
        return std::ranges::all_of(names, ready);
    }

    /// Containers of pods that have ended are not ready: up to v1.14.4 no task starts after a task that has ended.
    bool is_ready(task_spec const& task) const {
        if (!task.min_available) return true;
        std::int32_t ready = 0;
        for (std::int32_t i = 0; i < replicas_of(task); ++i) {
            auto const at = all_pods_.find(pod_name(stored_, task, i));
            if (at == all_pods_.end()) continue;
            auto const& p = *at->second;
            bool const begun = p.status.phase == "Running" || p.status.phase == "Succeeded";
            if (begun && are_containers_ready(p)) ++ready;
        }
        return ready >= *task.min_available;
    }

    job const& stored_;
    job next_; ///< with the new status
    rules::world const& world_;
    time_point now_;
    std::shared_ptr<job_memory> memory_;
    volcano_operator_options const& options_;
    rules::plan_writer todo_;
    request request_; ///< the request that this pass carries out
    bool forwarded_ = false;
    pods_by_name all_pods_; ///< in a sync: all pods, including those that are being deleted
};

} // namespace

rules::plan make_plan(rules::job_look<job> const& look, std::span<rules::watched const> rows,
                      volcano_operator_options const& options) {
    // Servers of Volcano store jobs that would take all memory here.
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

} // namespace kftrain::volcano
