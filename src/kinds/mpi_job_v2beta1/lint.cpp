#include "job/contract/field_error.hpp"
#include "kinds/mpi_job_v2beta1/gang.hpp"
#include "kinds/mpi_job_v2beta1/lint_rules.hpp"
#include "kinds/open_mpi_image.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {
namespace {

namespace of = lint_rule_of;

void lint_launching(mpi_job const& job, issues& found) {
    auto const& policy = job.spec.launcher_creation_policy;
    std::string const path = "spec.launcherCreationPolicy";
    if (policy != at_startup && policy != wait_for_workers)
        report(found, of::creation_policy, path,
               in_quotes(policy) + " acts like WaitForWorkersReady, expected AtStartup or WaitForWorkersReady");
    if (policy != at_startup && is_suspended(job))
        report(found, of::wait_suspended, path, in_quotes(policy) + " has no effect if the job starts suspended");
}

void lint_hosts(mpi_job const& job, issues& found) {
    for (auto const& [type, spec] : job.spec.mpi_replica_specs)
        if (type != launcher_type && type != worker_type)
            report(found, of::replica_type, path_of(type), "is ignored, expected Launcher or Worker");
    if (spec_of(job, worker_type) == nullptr && !launcher_works(job))
        report(found, of::no_hosts, path_of(worker_type),
               "is absent, expected at least one worker or runLauncherAsWorker");
    if (slots_of(job) == 0) report(found, of::slots, "spec.slotsPerWorker", "0, expected at least 1");
}

bool asks_for_devices(core::pod_spec const& pod) {
    return std::ranges::any_of(pod.containers, [](core::container const& c) {
        return std::ranges::any_of(c.resources.limits, [](auto const& entry) {
            return entry.first.find('/') != std::string::npos && entry.second.sign() > 0;
        });
    });
}

void lint_devices(mpi_job const& job, issues& found) {
    auto const* const launcher = spec_of(job, launcher_type);
    auto const* const workers = spec_of(job, worker_type);
    std::string const policy = "spec.runPolicy.cleanPodPolicy";
    if (workers != nullptr && job.spec.run_policy.clean_pod_policy == "None" &&
        asks_for_devices(workers->template_.spec))
        report(found, of::kept_workers, policy,
               "None keeps the devices of the workers allocated, expected Running or All");
    if (launcher != nullptr && !launcher_works(job) && asks_for_devices(launcher->template_.spec))
        report(found, of::launcher_devices, path_of(launcher_type) + ".template.spec.containers",
               "requests devices, expected runLauncherAsWorker or no devices");
}

bool mentions(std::vector<std::string> const& words, std::string_view what) {
    return std::ranges::any_of(words, [&](auto const& w) { return w.find(what) != std::string::npos; });
}

void lint_commands(mpi_job const& job, issues& found) {
    if (auto const* const workers = spec_of(job, worker_type);
        workers != nullptr && !workers->template_.spec.containers.empty()) {
        auto const& main = workers->template_.spec.containers.front();
        if (main.command.empty() && !main.args.empty() && !mentions(main.args, "sshd"))
            report(found, of::worker_args, path_of(worker_type) + ".template.spec.containers[0].args",
                   "is set without command, expected command and args, or neither");
    }
    auto const* const launcher = spec_of(job, launcher_type);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    std::string const path = path_of(launcher_type) + ".template.spec.containers[0]";
    auto const contains = [&](std::string_view what) {
        return mentions(main.command, what) || mentions(main.args, what);
    };
    if (contains("--host-discovery-script") && !contains("--slots-per-host") && !contains("--slots"))
        report(found, of::discovery_slots,
               path + (mentions(main.args, "--host-discovery-script") ? ".args" : ".command"),
               "--host-discovery-script without --slots-per-host, expected " + std::to_string(slots_of(job)));
    bool const knows_prte = std::ranges::any_of(
        main.env, [](core::env_var const& v) { return v.name == "PRTE_MCA_prte_default_hostfile"; });
    if (job.spec.mpi_implementation == open_mpi && has_open_mpi_5(main.image) && !knows_prte && !contains("--hostfile"))
        report(found, of::open_mpi_5, path + ".env",
               "has no PRTE_MCA_prte_default_hostfile, expected " + std::string(config_path) +
                   "/hostfile for Open MPI 5");
}

void lint_policy(mpi_job const& job, issues& found) {
    auto const& policy = job.spec.run_policy;
    if (policy.ttl_seconds_after_finished)
        report(found, of::time_to_live, "spec.runPolicy.ttlSecondsAfterFinished",
               std::to_string(*policy.ttl_seconds_after_finished) + " seconds apply only to the launcher");
    if (policy.managed_by && *policy.managed_by != "kubeflow.org/mpi-operator")
        report(found, of::managed_by, "spec.runPolicy.managedBy",
               in_quotes(*policy.managed_by) + " manages the job, so the MPI operator ignores it");
    if (is_suspended(job))
        report(found, of::suspended, "spec.runPolicy.suspend", "true, so the job has no pods until it is false");
    std::int64_t const pods = static_cast<std::int64_t>(worker_count(job)) + 1;
    if (policy.scheduling_policy && min_member(job) > pods)
        report(found, of::scheduling, "spec.runPolicy.schedulingPolicy.minAvailable",
               std::to_string(min_member(job)) + ", expected at most " + std::to_string(pods) +
                   ", the number of launchers and workers");
}

} // namespace

std::span<lint_rule const> lint_rules() noexcept { return of::all; }

void lint(mpi_job const& submitted, issues& found) {
    mpi_job job = submitted;
    set_defaults(job);
    job.metadata.namespace_ = namespace_of(job.metadata);
    lint_launching(job, found);
    lint_hosts(job, found);
    lint_commands(job, found);
    lint_devices(job, found);
    lint_policy(job, found);
    for (auto type : {launcher_type, worker_type}) lint_template(job, type, found);
}

} // namespace kftrain::kubeflow_v2beta1
