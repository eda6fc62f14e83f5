#include "job/contract/field_error.hpp"
#include "kinds/mpi_commands.hpp"
#include "kinds/mpi_job_v1/kind.hpp"
#include "kinds/open_mpi_image.hpp"

#include <kftrain/job/lint.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule no_workers{"lint.mpi-v1.no-workers", warning,
                               "Without workers the hostfile is empty, and the Role of the launcher names no pods, so "
                               "it can start processes in every pod of the namespace."};
constexpr lint_rule slots{"lint.mpi-v1.slots", warning, "mpirun starts no process on a host without slots."};
constexpr lint_rule main_container{"lint.mpi-v1.main-container", error,
                                   "The launcher starts all processes in this container of the workers, and fails if "
                                   "no worker has a container of this name."};
constexpr lint_rule worker_args{
    "lint.mpi-v1.worker-args", warning,
    "The operator gives workers without a command a command that sleeps, and overwrites their args."};
constexpr lint_rule processes{
    "lint.mpi-v1.processes", warning,
    "Open MPI starts no more processes than the hosts have slots, and fails if mpirun asks for "
    "more."};
constexpr lint_rule idle_slots{
    "lint.mpi-v1.idle-slots", info,
    "With fewer processes than slots, slots or whole workers stay idle, and keep their resources."};
constexpr lint_rule clean_pod_policy{
    "lint.mpi-v1.clean-pod-policy", warning,
    "If both spec.cleanPodPolicy and spec.runPolicy.cleanPodPolicy are set, the one of the run policy applies."};
constexpr lint_rule restart_policy{
    "lint.mpi-v1.restart-policy", warning,
    "The operator replaces no failed pod. With ExitCode the job stays Restarting forever, whatever the exit code was."};
constexpr lint_rule open_mpi_5{
    "lint.mpi-v1.open-mpi-5", info,
    "Open MPI 5 does not read the operator's variables. Without PRTE_MCA_plm_ssh_agent and "
    "PRTE_MCA_prte_default_hostfile all processes run in the launcher, and the job succeeds."};

constexpr std::array all{no_workers,       slots,          main_container, worker_args, processes, idle_slots,
                         clean_pod_policy, restart_policy, open_mpi_5};

void lint_hosts(mpi_kind const& job, issues& found) {
    if (job.workers() == 0)
        report(found, no_workers, job.path_of(mpi::worker) + ".replicas",
               job.spec_of(mpi::worker) == nullptr ? "is absent, expected at least 1" : "0, expected at least 1");
    if (job.slots() < 1)
        report(found, slots, "spec.slotsPerWorker", std::to_string(job.slots()) + ", expected at least 1");
}

void lint_workers(mpi_kind const& job, issues& found) {
    auto const* const workers = job.spec_of(mpi::worker);
    if (workers == nullptr || workers->template_.spec.containers.empty()) return;
    auto const& containers = workers->template_.spec.containers;
    if (auto const& main = job.spec().main_container;
        !main.empty() && std::ranges::find(containers, main, &core::container::name) == containers.end())
        report(found, main_container, "spec.mainContainer",
               in_quotes(main) + " is not a container of the workers, expected a container such as " +
                   in_quotes(containers.front().name));
    if (containers.front().command.empty() && !containers.front().args.empty())
        report(found, worker_args, job.path_of(mpi::worker) + ".template.spec.containers[0].args",
               "is set without command, expected command and args, or neither");
}

void lint_processes(mpi_kind const& job, issues& found) {
    auto const* const launcher = job.spec_of(mpi::launcher);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    std::int64_t const hosts = std::int64_t{job.workers()} + (job.launcher_works() ? 1 : 0);
    auto const all_slots = job.slots() * hosts;
    auto const path =
        job.path_of(mpi::launcher) + ".template.spec.containers[0]" + (main.command.empty() ? ".args" : ".command");
    if (auto const requested = excess_processes(main, all_slots))
        report(found, processes, path,
               "mpirun asks for " + std::to_string(*requested) + " processes, expected at most " +
                   std::to_string(all_slots));
    if (auto const requested = too_few_processes(main, all_slots))
        report(found, idle_slots, path, idle_slots_text(*requested, hosts, job.slots()));
}

void lint_open_mpi(mpi_kind const& job, issues& found) {
    auto const* const launcher = job.spec_of(mpi::launcher);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    if (!has_open_mpi_5(main.image)) return;
    for (auto const* name : {"PRTE_MCA_plm_ssh_agent", "PRTE_MCA_prte_default_hostfile"})
        if (std::ranges::find(main.env, name, &core::env_var::name) == main.env.end())
            return report(found, open_mpi_5, job.path_of(mpi::launcher) + ".template.spec.containers[0].env",
                          std::string("has no ") + name + ", expected a variable for Open MPI 5");
}

void lint_cleaning(mpi_kind const& job, issues& found) {
    auto const& own = job.spec().clean_pod_policy;
    auto const& counts = job.policy.clean_pod_policy;
    if (own && counts && *own != *counts)
        report(found, clean_pod_policy, "spec.cleanPodPolicy",
               in_quotes(*own) + " has no effect because spec.runPolicy.cleanPodPolicy is " + in_quotes(*counts));
}

void lint_restarts(mpi_kind const& job, issues& found) {
    for (auto type : job.types())
        if (job.spec_of(type)->restart_policy == "ExitCode")
            report(found, restart_policy, job.path_of(type) + ".restartPolicy",
                   "\"ExitCode\" replaces no pod, expected Never or OnFailure");
}

} // namespace

std::span<lint_rule const> mpi_kind::lint_rules() noexcept { return all; }

void mpi_kind::lint(issues& found) const {
    lint_hosts(*this, found);
    lint_workers(*this, found);
    lint_cleaning(*this, found);
    lint_restarts(*this, found);
    lint_processes(*this, found);
    lint_open_mpi(*this, found);
}

} // namespace kftrain::kubeflow_v1
