#include "job/contract/field_error.hpp"
#include "job/programs/devices.hpp"
#include "kinds/mpi_commands.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "kinds/mpi_job_v2beta1/lint/lint_rules.hpp"
#include "kinds/open_mpi_image.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>
#include <array>

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

bool requests_devices(core::pod_spec const& pod) {
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
        requests_devices(workers->template_.spec))
        report(found, of::kept_workers, policy,
               "None keeps the devices of the workers allocated, expected Running or All");
    if (launcher != nullptr && !launcher_works(job) && requests_devices(launcher->template_.spec))
        report(found, of::launcher_devices, path_of(launcher_type) + ".template.spec.containers",
               "requests devices, expected runLauncherAsWorker or no devices");
}

/// Whether all programs of a worker are known to start no ssh server.
bool starts_no_server(core::container const& worker) {
    static constexpr std::array<std::string_view, 10> harmless{"sleep", "tail", "true", "echo", "exit",
                                                               "date",  "env",  "ls",   "cat",  "hostname"};
    auto const programs = started_programs(worker);
    return !programs.empty() && std::ranges::all_of(programs, [](started_program const& p) {
        return std::ranges::find(harmless, p.name) != harmless.end() || is_mpirun(p) || python_script(p).has_value();
    });
}

void lint_worker_command(core::container const& launcher, core::container const& worker, issues& found) {
    bool const starts_others = mpirun_of(launcher) || mentions(launcher, "ssh") || mentions(launcher, "mpirun") ||
                               mentions(launcher, "horovodrun") || started_programs(launcher).empty();
    if (starts_others && starts_no_server(worker) && !mentions(worker, "sshd"))
        report(found, of::worker_command, path_of(worker_type) + ".template.spec.containers[0].command",
               "starts no ssh server, expected sshd, or no command");
}

void lint_slots(mpi_job const& job, core::container const& launcher, core::container const& worker, issues& found) {
    auto const slots = slots_of(job);
    std::int64_t const hosts = std::int64_t{worker_count(job)} + (launcher_works(job) ? 1 : 0);
    auto const path =
        path_of(launcher_type) + ".template.spec.containers[0]" + (launcher.command.empty() ? ".args" : ".command");
    if (auto const requested = excess_processes(launcher, slots * hosts);
        requested && job.spec.mpi_implementation == open_mpi)
        report(found, of::processes, path,
               "mpirun asks for " + std::to_string(*requested) + " processes, expected at most " +
                   std::to_string(slots * hosts) + ": " + hosts_text(hosts, slots));
    if (auto const requested = too_few_processes(launcher, slots * hosts))
        report(found, of::idle_slots, path, idle_slots_text(*requested, hosts, slots));
    if (auto const gpus = gpus_of(worker);
        slots == 1 && gpus > 1 && mpirun_of(launcher) && !starts_own_processes(launcher))
        report(found, of::idle_devices, "spec.slotsPerWorker",
               "1 process for the " + std::to_string(gpus) + " GPUs of a Worker, expected one process for each GPU");
}

void lint_commands(mpi_job const& job, issues& found) {
    if (auto const* const workers = spec_of(job, worker_type);
        workers != nullptr && !workers->template_.spec.containers.empty()) {
        auto const& main = workers->template_.spec.containers.front();
        if (main.command.empty() && !main.args.empty() && !mentions(main, "sshd"))
            report(found, of::worker_args, path_of(worker_type) + ".template.spec.containers[0].args",
                   "is set without command, expected command and args, or neither");
    }
    auto const* const launcher = spec_of(job, launcher_type);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    std::string const path = path_of(launcher_type) + ".template.spec.containers[0]";
    auto const contains = [&](std::string_view what) { return mentions(main, what); };
    if (auto const* const workers = spec_of(job, worker_type);
        workers != nullptr && !workers->template_.spec.containers.empty()) {
        lint_worker_command(main, workers->template_.spec.containers.front(), found);
        lint_slots(job, main, workers->template_.spec.containers.front(), found);
    }
    if (contains("--host-discovery-script") && !contains("--slots-per-host") && !contains("--slots"))
        report(found, of::discovery_slots, path + (main.command.empty() ? ".args" : ".command"),
               "--host-discovery-script without --slots-per-host, expected " + std::to_string(slots_of(job)));
    bool const knows_prte = std::ranges::any_of(
        main.env, [](core::env_var const& v) { return v.name == "PRTE_MCA_prte_default_hostfile"; });
    bool const hinted = has_open_mpi_5(main.image) || contains("prterun") || contains("--prtemca");
    if (job.spec.mpi_implementation == open_mpi && hinted && !knows_prte && !contains("--hostfile"))
        report(found, of::open_mpi_5, path + ".env",
               "has no PRTE_MCA_prte_default_hostfile, expected " + std::string(config_path) +
                   "/hostfile for Open MPI 5");
}

void lint_gang(mpi_job const& job, mpi_operator_options const& options, issues& found) {
    auto const& policy = job.spec.run_policy.scheduling_policy;
    std::string const path = "spec.runPolicy.schedulingPolicy";
    std::int64_t const workers = worker_count(job);
    bool const waits = job.spec.launcher_creation_policy != at_startup && workers > 0 && !is_suspended(job);
    if ((policy || (waits && has_gang(options))) && min_member(job) > workers + (waits ? 0 : 1))
        report(found, of::scheduling, path + ".minAvailable",
               std::to_string(min_member(job)) + ", expected at most " + std::to_string(workers + (waits ? 0 : 1)) +
                   (waits ? ", the number of workers, because the launcher waits for them"
                          : ", the number of launchers and workers"));
    if (has_gang(options)) return;
    auto const report_at = [&](std::string place, std::string_view what) {
        report(found, of::gang_flag, std::move(place),
               std::string(what) + ", unless the operator has the flag --gang-scheduling=volcano or another one");
    };
    if (policy) return report_at(path, "creates no PodGroup");
    for (auto type : {launcher_type, worker_type})
        if (auto const* const spec = spec_of(job, type);
            spec != nullptr && spec->template_.spec.scheduler_name == "volcano")
            return report_at(path_of(type) + ".template.spec.schedulerName",
                             "\"volcano\" does not start the pods together");
}

void lint_policy(mpi_job const& job, issues& found) {
    auto const& policy = job.spec.run_policy;
    if (policy.clean_pod_policy == "All" && !policy.ttl_seconds_after_finished)
        report(found, of::kept_launcher, "spec.runPolicy.cleanPodPolicy", "All deletes the workers, not the launcher");
    if (policy.ttl_seconds_after_finished)
        report(found, of::time_to_live, "spec.runPolicy.ttlSecondsAfterFinished",
               std::to_string(*policy.ttl_seconds_after_finished) + " seconds apply only to the launcher");
    if (policy.managed_by && *policy.managed_by != "kubeflow.org/mpi-operator")
        report(found, of::managed_by, "spec.runPolicy.managedBy",
               in_quotes(*policy.managed_by) + " manages the job, so the MPI operator ignores it");
    if (is_suspended(job))
        report(found, of::suspended, "spec.runPolicy.suspend", "true, so the job has no pods until it is false");
}

} // namespace

std::span<lint_rule const> lint_rules() noexcept { return of::all; }

void lint(mpi_job const& complete, issues& found) { lint(complete, mpi_operator_options(), found); }

void lint(mpi_job const& complete, mpi_operator_options const& options, issues& found) {
    mpi_job job = complete;
    job.metadata.namespace_ = namespace_of(job.metadata);
    lint_launching(job, found);
    lint_hosts(job, found);
    lint_commands(job, found);
    lint_devices(job, found);
    lint_policy(job, found);
    lint_gang(job, options, found);
    for (auto type : {launcher_type, worker_type}) lint_template(job, type, options, found);
}

} // namespace kftrain::kubeflow_v2beta1
