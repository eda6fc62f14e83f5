#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_LINT_LINT_RULES_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_LINT_LINT_RULES_HPP

#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <kftrain/job/lint.hpp>

#include <array>

/// Rules of MPIJobs `kubeflow.org/v2beta1` alone.
namespace kftrain::kubeflow_v2beta1::lint_rule_of {

using enum issue::severity;

inline constexpr lint_rule creation_policy{
    "lint.mpi.launcher-creation-policy", warning,
    "The operator does not check the value. Every value but AtStartup makes the launcher wait for the workers."};
inline constexpr lint_rule wait_suspended{
    "lint.mpi.suspended-wait", info,
    "A suspended job has no workers to wait for. The operator therefore creates the launcher immediately, and the "
    "launcher starts with the job even if no worker is ready."};
inline constexpr lint_rule replica_type{"lint.mpi.replica-type", warning,
                                        "The operator silently ignores entries other than Launcher and Worker."};
inline constexpr lint_rule no_hosts{"lint.mpi.no-hosts", warning,
                                    "Without workers and without runLauncherAsWorker the hostfile is empty."};
inline constexpr lint_rule slots{"lint.mpi.slots", warning, "mpirun starts no process on a host without slots."};
inline constexpr lint_rule worker_args{"lint.mpi.worker-args", warning,
                                       "Workers get an ssh server only if neither command nor args are set. With args "
                                       "alone, the entry point of the image must start one."};
inline constexpr lint_rule worker_command{
    "lint.mpi.worker-command", info,
    "The launcher reaches workers by ssh. A worker with a command of its own must start an ssh server."};
inline constexpr lint_rule processes{"lint.mpi.processes", warning,
                                     "Open MPI starts no more processes than the hosts have slots, and fails if mpirun "
                                     "asks for more."};
inline constexpr lint_rule idle_slots{
    "lint.mpi.idle-slots", info,
    "With fewer processes than slots, slots or whole workers stay idle, and keep their resources."};
inline constexpr lint_rule idle_devices{
    "lint.mpi.idle-devices", warning,
    "slotsPerWorker is the number of processes on each host, and each process uses one device."};
inline constexpr lint_rule kept_launcher{"lint.mpi.kept-launcher", info,
                                         "cleanPodPolicy applies to the workers. The pod of the launcher stays until "
                                         "the MPIJob is deleted or its time to live "
                                         "has passed."};
inline constexpr lint_rule kept_workers{"lint.mpi.kept-workers", warning,
                                        "Workers serve ssh forever. With cleanPodPolicy None, the default, workers "
                                        "that request devices keep them when the job has ended."};
inline constexpr lint_rule launcher_devices{"lint.mpi.launcher-devices", warning,
                                            "A launcher that is not a worker gets empty NVIDIA variables and sees no "
                                            "GPU, although the GPUs that it requests are allocated."};
inline constexpr lint_rule discovery_slots{
    "lint.mpi.discovery-slots", warning,
    "The discovery script lists hosts without slots, so horovodrun needs --slots-per-host."};
inline constexpr lint_rule open_mpi_5{
    "lint.mpi.open-mpi-5", info,
    "Open MPI 5 does not read the operator's variables. Without PRTE_MCA_prte_default_hostfile all processes run in "
    "the launcher, and the job succeeds."};
inline constexpr lint_rule environment{
    "lint.mpi.reserved-environment", warning,
    "The operator appends its own variables after those of the template, and the last of equal names wins."};
inline constexpr lint_rule labels{"lint.mpi.reserved-label", warning,
                                  "The operator overwrites its own labels, because it finds its pods by them."};
inline constexpr lint_rule template_restart_policy{"lint.mpi.template-restart-policy", warning,
                                                   "The replica's restartPolicy always overwrites the template's. For "
                                                   "the launcher the operator emits a warning event."};
inline constexpr lint_rule template_metadata{
    "lint.mpi.template-metadata", warning,
    "The operator keeps only labels and annotations of a template's metadata. It drops the rest silently."};
inline constexpr lint_rule scheduling{
    "lint.mpi.gang-deadlock", error,
    "A gang starts when minAvailable pods exist. If the job has fewer pods, or its launcher waits for the workers and "
    "minAvailable counts the launcher, it never starts."};
inline constexpr lint_rule gang_flag{"lint.mpi.gang-flag", info,
                                     "Only an operator with the flag --gang-scheduling creates PodGroups. Without it, "
                                     "schedulingPolicy has no effect, and "
                                     "Volcano schedules each pod alone."};
inline constexpr lint_rule time_to_live{"lint.mpi.time-to-live", info,
                                        "ttlSecondsAfterFinished deletes only the launcher. The MPIJob and everything "
                                        "else stay until you delete the MPIJob."};
inline constexpr lint_rule managed_by{
    "lint.mpi.managed-by", info,
    "The operator ignores a job that another controller manages. It does not even write a status."};
inline constexpr lint_rule suspended{"lint.mpi.suspended", info,
                                     "A suspended job has no pods until you set suspend to false."};
inline constexpr lint_rule pod{"lint.mpi.pod", error,
                               "The server rejects pods that violate its validation rules, but it accepts the job. The "
                               "operator then retries forever.",
                               true};

inline constexpr std::array all{creation_policy,
                                wait_suspended,
                                replica_type,
                                no_hosts,
                                slots,
                                worker_args,
                                worker_command,
                                processes,
                                idle_slots,
                                idle_devices,
                                kept_launcher,
                                kept_workers,
                                launcher_devices,
                                discovery_slots,
                                open_mpi_5,
                                environment,
                                labels,
                                template_restart_policy,
                                template_metadata,
                                scheduling,
                                gang_flag,
                                time_to_live,
                                managed_by,
                                suspended,
                                pod};

} // namespace kftrain::kubeflow_v2beta1::lint_rule_of

namespace kftrain::kubeflow_v2beta1 {

/// Reports fields of a type's template without effect, and what a server rejects of its pods. The job is valid and
/// has its defaults.
void lint_template(mpi_job const&, std::string_view type, mpi_operator_options const&, issues&);
/// Appends likely mistakes in a job with defaults, for an operator with these options.
void lint(mpi_job const&, mpi_operator_options const&, issues&);

} // namespace kftrain::kubeflow_v2beta1

#endif
