#include "base/whole_number.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "model/rules/label_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// One pass over a job, with the steps of upstream's syncHandler. Functions return false if an object is in the way.
class pass {
public:
    pass(prepared_job const& job, mpi_world const& world, time_point now, mpi_operator_options const& options);

    rules::plan run();

private:
    job_status& status() { return job_.status; }

    bool is_managed_elsewhere() const;
    bool is_valid();
    void note_creation();
    void close();
    void synchronize();
    bool make_children(observed_pods&);
    void write_status();
    bool is_mine(object_meta const&, std::string_view kind = {});

    bool sync_service();
    bool sync_config_map();
    bool sync_secret();
    bool sync_pod_group();
    bool may_launch(std::vector<core::pod const*> const& workers) const;
    void warn_of_overridden_policy();
    void align_launcher(batch::job const&);
    void resume_launcher(batch::job& next);

    std::vector<std::string> running_workers() const;
    void shrink();
    std::optional<std::int32_t> index_of(core::pod const&) const;
    bool sync_workers(std::vector<core::pod const*>&);
    bool clean_up();

    mpi_job const& stored_;
    mpi_job job_; ///< with defaults and the new status
    mpi_world const& world_;
    mpi_operator_options const& options_;
    time_point now_;
    rules::plan_writer todo_;
    std::set<std::string_view> gone_; ///< workers that this pass removes and that are gone with the answer
};

constexpr rules::event_messages launcher_created("", "", "MPIJobFailed", "launcher pod created failed: {}");

pass::pass(prepared_job const& job, mpi_world const& world, time_point now, mpi_operator_options const& options)
    : stored_(*job.written().get_if<mpi_job>()),
      job_(*job.complete().get_if<mpi_job>()),
      world_(world),
      options_(options),
      now_(now) {}

rules::plan pass::run() {
    rules::plan plan;
    if (!is_managed_elsewhere() && !job_.metadata.deletion_timestamp && is_valid()) {
        note_creation();
        if (is_finished(status()) && status().completion_time)
            close();
        else
            synchronize();
    }
    plan.steps = todo_.take();
    return plan;
}

bool pass::is_managed_elsewhere() const {
    auto const& manager = job_.spec.run_policy.managed_by;
    return manager && *manager != own_manager;
}

bool pass::is_valid() {
    // Differs from prepared_job::faults(): a stored job without replicas lacks a launcher, but has the map.
    auto const found = validate_stored(job_);
    if (found.empty()) return true;
    todo_.emit("Warning", "ValidationError", validation_message(found));
    return false;
}

void pass::note_creation() {
    if (!status().conditions.empty()) return;
    std::string const text = "MPIJob " + job_.metadata.namespace_ + "/" + job_.metadata.name + " is created.";
    set_condition(status(), "Created", "True", "MPIJobCreated", text, now_);
    todo_.emit("Normal", "MPIJobCreated", text);
}

/// Cleans up after the end. All objects but the workers stay until the job is deleted.
void pass::close() {
    if (*job_.spec.run_policy.clean_pod_policy != "None" && clean_up()) write_status();
}

void pass::synchronize() {
    if (!status().start_time && !is_suspended(job_)) status().start_time = now_;
    if (world_.launcher != nullptr && !is_mine(world_.launcher->metadata)) return;
    observed_pods observed;
    observed.launcher = world_.launcher.get();
    observed.launcher_exists = observed.launcher != nullptr;
    observed.launcher_pods = world_.launcher_pods;
    if (observed.launcher == nullptr || end_of(*observed.launcher) == nullptr)
        if (!make_children(observed)) return;
    if (observed.launcher != nullptr) align_launcher(*observed.launcher);
    if (is_suspended(job_) && !clean_up()) return;
    std::vector<rules::emit_event> events;
    status() = judge(job_, observed, now_, options_, events);
    for (auto& e : events) todo_.emit(std::move(e));
    write_status();
}

bool pass::make_children(observed_pods& observed) {
    if (!sync_service() || !sync_config_map() || !sync_secret()) return false;
    if (!is_suspended(job_)) {
        if (has_gang(options_) && !sync_pod_group()) return false;
        shrink();
        if (!sync_workers(observed.workers)) return false;
    }
    if (observed.launcher == nullptr && may_launch(observed.workers)) {
        warn_of_overridden_policy();
        todo_.create(rules::create(render_launcher(job_, options_), launcher_created));
        observed.launcher_exists = true;
    }
    return true;
}

/// Whether the job controls the object; otherwise emits an event.
bool pass::is_mine(object_meta const& object, std::string_view kind) {
    if (is_own(job_, object)) return true;
    todo_.emit("Warning", "ErrResourceExists",
               "Resource \"" + object.name + "\" of Kind \"" + std::string(kind) +
                   "\" already exists and is not managed by MPIJob");
    return false;
}

void pass::write_status() {
    if (job_.status == stored_.status) return;
    mpi_job next = stored_;
    next.status = std::move(job_.status);
    todo_.add(rules::write_status(std::move(next)));
}

bool pass::sync_service() {
    auto wanted = render_service(job_, options_);
    if (world_.service == nullptr) {
        todo_.create(rules::create(std::move(wanted)));
        return true;
    }
    if (!is_mine(world_.service->metadata)) return false;
    auto const& spec = world_.service->spec;
    bool const publishes = options_.release >= mpi_operator_release::v0_7_0; // others leave the field alone
    if (spec.selector == wanted.spec.selector &&
        (!publishes || spec.publish_not_ready_addresses == wanted.spec.publish_not_ready_addresses))
        return true;
    core::service next = *world_.service;
    next.spec.selector = std::move(wanted.spec.selector);
    if (publishes) next.spec.publish_not_ready_addresses = wanted.spec.publish_not_ready_addresses;
    todo_.add(rules::replace(std::move(next)));
    return true;
}

bool pass::sync_config_map() {
    auto wanted = render_config_map(job_, running_workers(), options_);
    if (world_.config_map == nullptr) {
        todo_.create(rules::create(std::move(wanted)));
        return true;
    }
    if (!is_mine(world_.config_map->metadata)) return false;
    if (world_.config_map->data == wanted.data) return true;
    core::config_map next = *world_.config_map;
    next.data = std::move(wanted.data);
    todo_.add(rules::replace(std::move(next)));
    return true;
}

/// Keys are never renewed; lost keys are replaced, both together. Only the metadata of the stored secret is known.
bool pass::sync_secret() {
    core::secret wanted = render_secret(job_);
    if (world_.secret == nullptr) {
        rules::create c(std::move(wanted));
        c.made.push_back(ssh_recipe());
        todo_.create(std::move(c));
        return true;
    }
    auto const& stored = *world_.secret;
    if (!is_mine(stored.metadata)) return false;
    if (stored.data.size() == 2 && stored.data.contains(private_key) && stored.data.contains(public_key)) return true;
    wanted.metadata.uid = stored.metadata.uid;
    wanted.metadata.resource_version = stored.metadata.resource_version;
    for (auto const& [key, value] : stored.metadata.labels) wanted.metadata.labels[key] = value;
    rules::replace r(std::move(wanted));
    r.made.push_back(ssh_recipe());
    todo_.add(std::move(r));
    return true;
}

bool pass::sync_pod_group() {
    auto const& stored = world_.pod_group;
    if (stored.empty()) {
        todo_.create(rules::create(render_pod_group(job_, world_.priorities, options_)));
        return true;
    }
    if (!is_mine(stored.metadata(), "PodGroup")) return false;
    if (auto next = changed_pod_group(stored, job_, world_.priorities, options_); !next.empty())
        todo_.add(rules::replace(std::move(next)));
    return true;
}

/// A suspended job has no workers to wait for.
bool pass::may_launch(std::vector<core::pod const*> const& workers) const {
    auto const is_ready = [](core::pod const* p) {
        return p != nullptr && std::ranges::any_of(p->status.conditions, [](core::pod_condition const& c) {
                   return c.type == "Ready" && c.status == "True";
               });
    };
    return job_.spec.launcher_creation_policy == at_startup || std::ranges::all_of(workers, is_ready);
}

void pass::warn_of_overridden_policy() {
    if (!spec_of(job_, launcher_type)->template_.spec.restart_policy.empty())
        todo_.emit("Warning", "SetPodTemplateRestartPolicy",
                   "Restart policy in pod template overridden by restart policy in replica spec");
}

void pass::align_launcher(batch::job const& launcher) {
    bool const suspended = launcher.spec.suspend.value_or(false);
    if (suspended == is_suspended(job_)) return;
    batch::job next = launcher;
    next.spec.suspend = !suspended;
    if (suspended && options_.release >= mpi_operator_release::v0_8_0) resume_launcher(next);
    todo_.add(rules::replace(std::move(next)));
}

/// Takes the fields that may change in a suspended Job from the current template, and keeps all others.
void pass::resume_launcher(batch::job& next) {
    if (next.status.start_time) {
        // Servers keep the template of a Job that has started. The Job controller forgets the start of a
        // suspended one by itself, as a rule.
        next.status.start_time.reset();
        todo_.add(rules::replace(next, rules::subresource::status));
        next.metadata.resource_version.clear(); // the answer will bring the new version
    }
    warn_of_overridden_policy();
    auto wanted = render_launcher_template(job_, options_);
    auto& pod = next.spec.template_;
    for (auto& [key, value] : wanted.metadata.labels) pod.metadata.labels[key] = value;
    for (auto& [key, value] : wanted.metadata.annotations) pod.metadata.annotations[key] = value;
    pod.spec.node_selector = std::move(wanted.spec.node_selector);
    pod.spec.tolerations = std::move(wanted.spec.tolerations);
    pod.spec.scheduling_gates = std::move(wanted.spec.scheduling_gates);
}

constexpr rules::event_messages worker_created("", "", "MPIJobFailed", "worker pod created failed: {}");

rules::remove removal_of(core::pod const& p) { return rules::remove(rules::target(core::pod::resource, p.metadata)); }

/** Whether a pod is gone when its removal is answered: no kubelet has it, or all its containers have ended.
    @par Upstream kubernetes `pkg/registry/core/pod/strategy.go`, `CheckGracefulDelete`, v1.31 */
bool leaves_at_once(core::pod const& p) {
    if (p.metadata.deletion_timestamp) return false;
    return p.spec.node_name.empty() || has_ended(p);
}

/// The workers before this pass, whether ready, terminating, or of another owner.
std::vector<std::string> pass::running_workers() const {
    std::vector<std::string> running;
    for (auto const& p : world_.workers)
        if (p->status.phase == "Running" && is_labelled_worker(job_, p->metadata)) running.push_back(p->metadata.name);
    return running;
}

/// Removes the workers of the highest indices while there are too many, also those that are already being deleted.
void pass::shrink() {
    if (spec_of(job_, worker_type) == nullptr) return;
    std::int32_t const wanted = worker_count(job_);
    std::vector<std::pair<std::int32_t, core::pod const*>> surplus;
    std::int64_t present = 0;
    for (auto const& p : world_.workers) {
        if (!is_labelled_worker(job_, p->metadata) || !is_own(job_, p->metadata)) continue;
        ++present;
        if (auto const index = index_of(*p); index && *index >= wanted) surplus.emplace_back(*index, p.get());
    }
    if (present <= wanted) return;
    std::ranges::sort(surplus, {}, [](auto const& s) { return std::pair(s.first, s.second->metadata.name); });
    for (auto const& [index, p] : surplus) {
        todo_.remove(removal_of(*p));
        if (leaves_at_once(*p)) gone_.insert(p->metadata.name);
    }
}

std::optional<std::int32_t> pass::index_of(core::pod const& p) const {
    if (!options_.shifted_scale_down) return worker_index(job_, p.metadata.name);
    return read_whole_number<std::int32_t>(label_of(p.metadata, label::replica_index));
}

/** Creates the missing workers in order, up to one whose name another owner has taken. Upstream reads its informer for
    each one, which may already include removals of this pass. */
bool pass::sync_workers(std::vector<core::pod const*>& workers) {
    std::map<std::string_view, core::pod const*> by_name;
    for (auto const& p : world_.workers) by_name.emplace(p->metadata.name, p.get());
    for (std::int32_t i = 0; i < worker_count(job_); ++i) {
        auto const found = by_name.find(worker_name(job_, i));
        bool const missing = found == by_name.end() || gone_.contains(found->first);
        workers.push_back(missing ? nullptr : found->second);
        if (missing)
            todo_.create(rules::create(render_worker(job_, i, options_), worker_created));
        else if (!is_mine(found->second->metadata))
            return false;
    }
    return true;
}

/// Cleans up the workers of a finished or suspended job; of a suspended one even with the policy None. False: an object
/// is in the way.
bool pass::clean_up() {
    bool const keeps_ended = job_.spec.run_policy.clean_pod_policy == "Running";
    std::map<std::int32_t, core::pod const*> present;
    for (auto const& p : world_.workers)
        if (auto const i = worker_index(job_, p->metadata.name); i && *i < worker_count(job_))
            present.emplace(*i, p.get());
    for (auto const& [index, p] : present) {
        if (!is_mine(p->metadata)) return false;
        bool const is_active = p->status.phase == "Running" || p->status.phase == "Pending";
        if (is_active || !keeps_ended) todo_.remove(removal_of(*p));
    }
    status().replica_statuses[std::string(worker_type)] = {};
    auto const& group = world_.pod_group;
    if (!has_gang(options_) || group.empty()) return true;
    if (!is_mine(group.metadata(), "PodGroup")) return false;
    todo_.add(rules::remove(rules::target(group.resource(), group.metadata())));
    return true;
}

} // namespace

rules::plan make_plan(prepared_job const& job, mpi_world const& world, time_point now,
                      mpi_operator_options const& options) {
    return pass(job, world, now, options).run();
}

} // namespace kftrain::kubeflow_v2beta1
