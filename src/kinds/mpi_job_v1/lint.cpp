#include "job/contract/field_error.hpp"
#include "kinds/mpi_job_v1/kind.hpp"

#include <kftrain/job/lint.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule no_workers{
    "lint.mpi-v1.no-workers", warning,
    "Without workers the hostfile has none, and the Role of the launcher, which then names no "
    "pods, lets it start processes in every pod of the namespace."};
constexpr lint_rule slots{"lint.mpi-v1.slots", warning, "No process is started on a host without slots."};
constexpr lint_rule main_container{
    "lint.mpi-v1.main-container", error,
    "The launcher starts all processes in this container of the workers, and fails where they have none of this name."};
constexpr lint_rule worker_args{"lint.mpi-v1.worker-args", warning,
                                "Workers without a command sleep: their args are overwritten."};
constexpr lint_rule clean_pod_policy{"lint.mpi-v1.clean-pod-policy", warning,
                                     "Where both are given, that of the run policy counts."};
constexpr lint_rule restart_policy{"lint.mpi-v1.restart-policy", warning,
                                   "No failed pod is replaced: with ExitCode a job stays Restarting for ever, whatever "
                                   "the code was."};
constexpr lint_rule open_mpi_5{"lint.mpi-v1.open-mpi-5", info,
                               "Open MPI 5 does not read the variables of the operator: without "
                               "PRTE_MCA_plm_ssh_agent and PRTE_MCA_prte_default_hostfile all processes run in the "
                               "launcher, and the job succeeds."};

constexpr std::array all{no_workers, slots, main_container, worker_args, clean_pod_policy, restart_policy, open_mpi_5};

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
               in_quotes(main) + " is no container of the workers, expected one, such as " +
                   in_quotes(containers.front().name));
    if (containers.front().command.empty() && !containers.front().args.empty())
        report(found, worker_args, job.path_of(mpi::worker) + ".template.spec.containers[0].args",
               "without command, expected a command or neither");
}

void lint_open_mpi(mpi_kind const& job, issues& found) {
    auto const* const launcher = job.spec_of(mpi::launcher);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& env = launcher->template_.spec.containers.front().env;
    for (auto const* name : {"PRTE_MCA_plm_ssh_agent", "PRTE_MCA_prte_default_hostfile"})
        if (std::ranges::find(env, name, &core::env_var::name) == env.end())
            return report(found, open_mpi_5, job.path_of(mpi::launcher) + ".template.spec.containers[0].env",
                          std::string("has no ") + name + ", expected one if the image has Open MPI 5");
}

void lint_cleaning(mpi_kind const& job, issues& found) {
    auto const& own = job.spec().clean_pod_policy;
    auto const& counts = job.policy.clean_pod_policy;
    if (own && counts && *own != *counts)
        report(found, clean_pod_policy, "spec.cleanPodPolicy",
               in_quotes(*own) + " has no effect, spec.runPolicy.cleanPodPolicy is " + in_quotes(*counts));
}

void lint_restarts(mpi_kind const& job, issues& found) {
    for (auto type : job.types())
        if (job.spec_of(type)->restart_policy == "ExitCode")
            report(found, restart_policy, job.path_of(type) + ".restartPolicy",
                   "\"ExitCode\" restarts nothing, expected Never or OnFailure");
}

} // namespace

std::span<lint_rule const> mpi_kind::lint_rules() noexcept { return all; }

void mpi_kind::lint(issues& found) const {
    lint_hosts(*this, found);
    lint_workers(*this, found);
    lint_cleaning(*this, found);
    lint_restarts(*this, found);
    lint_open_mpi(*this, found);
}

} // namespace kftrain::kubeflow_v1
