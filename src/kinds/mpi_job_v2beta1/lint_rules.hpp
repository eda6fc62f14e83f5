#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_LINT_RULES_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_LINT_RULES_HPP

#include "kinds/mpi_job_v2beta1/names.hpp"

#include <kftrain/job/lint.hpp>

#include <array>

/// Rules of MPIJobs `kubeflow.org/v2beta1` alone.
namespace kftrain::kubeflow_v2beta1::lint_rule_of {

using enum issue::severity;

inline constexpr lint_rule creation_policy{
    "lint.mpi.launcher-creation-policy", warning,
    "Nobody looks at the value, and every one but AtStartup makes the launcher wait for the workers."};
inline constexpr lint_rule wait_suspended{
    "lint.mpi.suspended-wait", info,
    "A suspended job has no workers to wait for, so its launcher is created at once and goes on with the job, whether "
    "workers are ready or not."};
inline constexpr lint_rule replica_type{"lint.mpi.replica-type", warning,
                                        "Entries other than Launcher and Worker are passed over in silence."};
inline constexpr lint_rule no_hosts{"lint.mpi.no-hosts", warning,
                                    "Without workers and without runLauncherAsWorker the hostfile is empty."};
inline constexpr lint_rule slots{"lint.mpi.slots", warning, "No process is started on a host without slots."};
inline constexpr lint_rule worker_args{
    "lint.mpi.worker-args", warning,
    "Workers get a server for ssh only where neither command nor args are given; with args alone the entry point of "
    "the image must start one."};
inline constexpr lint_rule kept_workers{"lint.mpi.kept-workers", warning,
                                        "Workers serve ssh for ever: with cleanPodPolicy None, the default, those that "
                                        "ask for devices keep them when the job "
                                        "has ended."};
inline constexpr lint_rule launcher_devices{
    "lint.mpi.launcher-devices", warning,
    "A launcher that does not work gets empty NVIDIA variables and sees no GPU, though the ones that it asks for are "
    "taken."};
inline constexpr lint_rule discovery_slots{
    "lint.mpi.discovery-slots", warning,
    "The discovery script names hosts without slots, and horovodrun then has to be told them by --slots-per-host."};
inline constexpr lint_rule open_mpi_5{
    "lint.mpi.open-mpi-5", info,
    "Open MPI 5 does not read the variables of the operator: without PRTE_MCA_prte_default_hostfile all processes run "
    "in the launcher, and the job succeeds."};
inline constexpr lint_rule environment{
    "lint.mpi.reserved-environment", warning,
    "The operator appends its own variables behind the template's, and the last of equal names wins."};
inline constexpr lint_rule labels{"lint.mpi.reserved-label", warning,
                                  "The operator overwrites these labels, since it finds its pods by them."};
inline constexpr lint_rule template_restart_policy{
    "lint.mpi.template-restart-policy", warning,
    "The replica's restartPolicy always overwrites the template's; of the launcher's a warning event tells."};
inline constexpr lint_rule template_metadata{
    "lint.mpi.template-metadata", warning,
    "Of a template's metadata the operator keeps labels and annotations only; the rest is dropped in silence."};
inline constexpr lint_rule scheduling{
    "lint.mpi.gang-deadlock", error,
    "A gang starts when minAvailable pods exist; with fewer in the job it never does."};
inline constexpr lint_rule time_to_live{
    "lint.mpi.time-to-live", info,
    "ttlSecondsAfterFinished deletes the launcher only: the MPIJob and all else stay until it is deleted."};
inline constexpr lint_rule pod{"lint.mpi.pod", error,
                               "The server refuses such pods; it takes the job all the same, and the operator then "
                               "retries for ever.",
                               true};

inline constexpr std::array all{creation_policy,
                                wait_suspended,
                                replica_type,
                                no_hosts,
                                slots,
                                worker_args,
                                kept_workers,
                                launcher_devices,
                                discovery_slots,
                                open_mpi_5,
                                environment,
                                labels,
                                template_restart_policy,
                                template_metadata,
                                scheduling,
                                time_to_live,
                                pod};

} // namespace kftrain::kubeflow_v2beta1::lint_rule_of

namespace kftrain::kubeflow_v2beta1 {

/// What the template of a type says in vain, and what a server refuses of the pods that it becomes; of a valid job with defaults.
void lint_template(mpi_job const&, std::string_view type, issues&);

} // namespace kftrain::kubeflow_v2beta1

#endif
