#include "base/ascii.hpp"
#include "job/v1/gang.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_render.hpp"
#include "kinds/mpi_job_v1/children.hpp"
#include "model/rules/namespace_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <algorithm>
#include <unordered_map>

namespace kftrain::kubeflow_v1 {
namespace {

constexpr rules::event_messages worker_created("SuccessfulCreatePod", "Created worker pod: {}", "MPIJobFailed",
                                               "worker pod created failed: {}");
constexpr rules::event_messages launcher_created("MPIJobRunning", "launcher pod created success: {}", "MPIJobFailed",
                                                 "launcher pod created failed: {}");

/// One pass over the members of a job. Functions return false if an object is in the way.
/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `ReconcilePods`, which reads each
/// child again.
class member_pass {
public:
    member_pass(prepared_job const& prepared, mpi_kind const& job, observed const& world, gang_scheduler const& gang,
                job_status& status, rules::plan_writer& todo)
        : prepared_(prepared), job_(job), world_(world), gang_(gang), status_(status), todo_(todo) {
        std::string const launcher = job_.launcher_name(), worker_label = to_lower(mpi::worker);
        for (auto const& p : world_.pods) {
            if (p->metadata.name == launcher) launcher_ = p.get();
            if (label_of(p->metadata, label::replica_type) != worker_label) continue;
            workers_.push_back(p.get());
            by_name_.emplace(p->metadata.name, p.get());
        }
    }

    bool run() {
        if (!is_free<pod>(job_.launcher_name())) return false;
        bool const ended = launcher_ != nullptr && has_ended(*launcher_);
        if (!ended && !make_members()) return false;
        count(ended);
        return true;
    }

private:
    /// Returns false and emits an event if another object has the name.
    template <resource K> bool is_free(std::string const& name) {
        auto const* const found = world_.find<K>(name);
        if (found == nullptr || is_controlled_by(found->metadata, job_)) return true;
        todo_.emit("Warning", "ErrResourceExists",
                   "Resource \"" + name + "\" of MPIJobKind \"" + std::string(K::resource.kind) +
                       "\" already exists and is not managed by MPIJob");
        return false;
    }

    void report_existing(std::string const& what, std::string const& name) {
        todo_.emit("Normal", what + " is exist", what + ": " + name);
    }

    bool make_members() {
        sync_account();
        return sync_config() && sync_role() && sync_binding() && sync_workers() && sync_launcher();
    }

    /// Accepts an account of any owner.
    void sync_account() {
        auto const name = job_.account_name();
        if (world_.find<core::service_account>(name) == nullptr)
            todo_.create(rules::create(mpi::render_account(job_)));
        else
            report_existing("ServiceAccount", name);
    }

    bool sync_config() {
        std::vector<std::string> running;
        for (auto const* p : workers_)
            if (p->status.phase == "Running") running.push_back(p->metadata.name);
        auto wanted = mpi::render_config(job_, std::move(running));
        auto const* const found = world_.find<core::config_map>(job_.config_name());
        if (found == nullptr) {
            todo_.create(rules::create(std::move(wanted)));
            return true;
        }
        if (!is_free<core::config_map>(found->metadata.name)) return false;
        if (!(found->data == wanted.data)) replace(std::move(wanted), found->metadata);
        return true;
    }

    bool sync_role() {
        auto wanted = mpi::render_role(job_);
        auto const* const found = world_.find<rbac::role>(wanted.metadata.name);
        if (found == nullptr) {
            todo_.create(rules::create(std::move(wanted)));
            return true;
        }
        report_existing("LauncherRole", found->metadata.name);
        if (!is_free<rbac::role>(found->metadata.name)) return false;
        if (!(found->rules == wanted.rules)) replace(std::move(wanted), found->metadata);
        return true;
    }

    /// Its content is not used.
    bool sync_binding() {
        auto wanted = mpi::render_binding(job_);
        auto const* const found = world_.find<rbac::role_binding>(wanted.metadata.name);
        if (found == nullptr) {
            todo_.create(rules::create(std::move(wanted)));
            return true;
        }
        report_existing("RoleBinding", found->metadata.name);
        return is_free<rbac::role_binding>(found->metadata.name);
    }

    template <resource K> void replace(K wanted, object_meta const& found) {
        wanted.metadata.resource_version = found.resource_version;
        todo_.add(rules::replace(std::move(wanted)));
    }

    /// Deletes the workers with the highest indices if there are too many, including those that are already being
    /// deleted. Creates the missing ones in order, up to one whose name is taken.
    bool sync_workers() {
        if (job_.spec_of(mpi::worker) == nullptr) return true;
        std::int32_t const wanted = job_.workers();
        if (workers_.size() > static_cast<std::size_t>(wanted))
            for (auto const* p : workers_)
                if (index_of(p->metadata).value_or(-1) >= wanted)
                    todo_.remove(rules::remove(rules::target(pod::resource, p->metadata)));
        auto const& layout = prepared_.layout();
        for (auto const& r : layout.of_role(mpi::worker)) {
            if (!is_free<pod>(r.pod_name)) return false;
            if (find_worker(r.pod_name) != nullptr) continue;
            warn_of_scheduler();
            todo_.create(rules::create(render_pod(job_, layout, r, gang_), worker_created));
        }
        return true;
    }

    pod const* find_worker(std::string_view name) const {
        auto const found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : found->second;
    }

    bool sync_launcher() {
        if (launcher_ != nullptr) return true;
        warn_of_scheduler();
        if (!job_.spec_of(mpi::launcher)->template_.spec.restart_policy.empty())
            todo_.emit("Warning", "SettedPodTemplateRestartPolicy",
                       "Restart policy in pod template will be overwritten by restart policy in replica spec");
        auto const& layout = prepared_.layout();
        todo_.create(
            rules::create(render_pod(job_, layout, layout.of_role(mpi::launcher).front(), gang_), launcher_created));
        return true;
    }

    /// Unlike other kinds, the operator warns unless a template names the scheduler of the gang.
    void warn_of_scheduler() {
        auto const names_it = [&](auto const& entry) {
            return entry.second.template_.spec.scheduler_name == gang_.name;
        };
        if (gang_ && std::ranges::none_of(job_.specs, names_it))
            todo_.emit("Warning", "SettedPodTemplateSchedulerName",
                       "Another scheduler is specified when gang-scheduling is enabled and it will not be overwritten");
    }

    /// Workers count until the launcher has ended, by their phase alone: a worker that is being deleted still runs.
    void count(bool ended) {
        auto& of_launcher = status_.replica_statuses[std::string(mpi::launcher)];
        auto& of_workers = status_.replica_statuses[std::string(mpi::worker)];
        of_launcher = replica_status();
        of_workers = replica_status();
        if (launcher_ != nullptr) count(of_launcher, *launcher_);
        std::int32_t evicted = 0;
        std::int32_t const wanted = ended ? 0 : job_.workers();
        for (std::int32_t i = 0; i < wanted; ++i) {
            auto const* const p = find_worker(job_.name_of(mpi::worker, i));
            if (p == nullptr) continue;
            count(of_workers, *p);
            if (p->status.phase == "Failed" && p->status.reason == "Evicted") ++evicted;
        }
        report_counts(of_workers.active == wanted, evicted, wanted);
    }

    static void count(replica_status& counts, pod const& p) {
        if (p.status.phase == "Running") ++counts.active;
        if (p.status.phase == "Succeeded") ++counts.succeeded;
        if (p.status.phase == "Failed") ++counts.failed;
    }

    /// On each pass again. The conditions that upstream sets with these events are never written.
    void report_counts(bool all_run, std::int32_t evicted, std::int32_t workers) {
        std::string const who = "MPIJob " + job_.metadata.namespace_ + "/" + job_.metadata.name;
        std::string const phase = launcher_ == nullptr ? std::string() : launcher_->status.phase;
        if (phase == "Succeeded") todo_.emit("Normal", "mpijobsSucceeded", who + " successfully completed.");
        if (phase == "Failed") {
            auto const& reason = launcher_->status.reason;
            todo_.emit("Warning", reason.empty() ? "MPIJobFailed" : reason, who + " has failed");
        }
        if (evicted > 0)
            todo_.emit("Warning", "MPIJobEvicted",
                       std::to_string(evicted) + "/" + std::to_string(workers) + " workers are evicted");
        if (phase == "Running" && all_run) todo_.emit("Normal", "MPIJobRunning", who + " is running");
    }

    prepared_job const& prepared_;
    mpi_kind const& job_; ///< with defaults
    observed const& world_;
    gang_scheduler const& gang_;
    job_status& status_;
    rules::plan_writer& todo_;
    pod const* launcher_ = nullptr;
    std::vector<pod const*> workers_; ///< with any index
    std::unordered_map<std::string_view, pod const*> by_name_;
};

} // namespace

bool mpi::reconcile_members(prepared_job const& prepared, mpi_kind const& job, observed const& world,
                            gang_scheduler const& gang, job_status& status, rules::plan_writer& todo) {
    return member_pass(prepared, job, world, gang, status, todo).run();
}

} // namespace kftrain::kubeflow_v1
