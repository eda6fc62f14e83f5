#include "kinds/mpi_job_v2beta1/plan/pass.hpp"
#include "kinds/mpi_job_v2beta1/render/render.hpp"
#include "kinds/mpi_job_v2beta1/validate.hpp"

namespace kftrain::kubeflow_v2beta1 {
namespace {

constexpr rules::event_messages launcher_created("", "", "MPIJobFailed", "launcher pod created failed: {}");

} // namespace

pass::pass(mpi_job const& stored, mpi_world const& world, time_point now, mpi_operator_options const& options)
    : stored_(stored), job_(stored), world_(world), options_(options), now_(now) {
    set_defaults(job_);
}

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

/// After the end. The launcher, its pods, and what is no pod stay until the job is deleted.
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

/// False: something is in the way.
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

rules::plan make_plan(mpi_job const& job, mpi_world const& world, time_point now, mpi_operator_options const& options) {
    return pass(job, world, now, options).run();
}

} // namespace kftrain::kubeflow_v2beta1
