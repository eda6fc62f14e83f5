#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_LINT_LINT_RULES_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_LINT_LINT_RULES_HPP

#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/lint.hpp>

#include <array>

/// Rules of Volcano Jobs alone.
namespace kftrain::volcano::lint_rule_of {

using enum issue::severity;

inline constexpr lint_rule arguments{
    "lint.volcano.plugin-arguments", warning,
    "A plugin stops at the first argument that it cannot read. It silently ignores that argument and all that follow."};
inline constexpr lint_rule plugin_task{"lint.volcano.plugin-task", error,
                                       "A plugin finds its tasks by their names. Without the leading task the plugin "
                                       "sets nothing, or the operator creates no pods."};
inline constexpr lint_rule mpi_workers{
    "lint.volcano.mpi-workers", error,
    "The operator v1.9.0 crashes when it creates the master of a job whose worker task has no replicas."};
inline constexpr lint_rule ssh_hosts{"lint.volcano.ssh-hosts", warning,
                                     "The host names in the ssh configuration resolve through the service of the "
                                     "plugin svc, and the job does not have this plugin."};
inline constexpr lint_rule subdomain{
    "lint.volcano.subdomain", warning,
    "The service of the plugin svc has the name of the job. Hosts of another subdomain do not resolve through it."};
inline constexpr lint_rule service_name{"lint.volcano.service-name", error,
                                        "The service has the name of the job. The server rejects it unless the name is "
                                        "a DNS label that starts with a letter. The job then stays Pending."};
inline constexpr lint_rule pod_name{"lint.volcano.pod-name", error,
                                    "Admission checks one name for each task. Names of further pods can be too long "
                                    "for the host names that they become."};
inline constexpr lint_rule gang_stage{
    "lint.volcano.depends-on-gang", error,
    "Pods of a task that waits for another task do not exist yet, but they count for the gang. The gang starts only if "
    "minAvailable is at most the number of pods of the tasks that do not wait, and less than the sum over all tasks."};
inline constexpr lint_rule shadowed{"lint.volcano.shadowed-policy", warning,
                                    "The first policy that matches decides. After a policy for PodFailed or *, the "
                                    "operator ignores policies for exit codes."};
inline constexpr lint_rule code_action{
    "lint.volcano.exit-code-action", warning,
    "Admission does not check the action of a policy with an exit code. An unknown action does nothing."};
inline constexpr lint_rule timeout{
    "lint.volcano.policy-timeout", warning,
    "Before v1.11 the operator ignores the timeout of a policy: the policy acts immediately."};
inline constexpr lint_rule restart_task{"lint.volcano.restart-task", warning,
                                        "Before v1.11 the action RestartTask does nothing."};
inline constexpr lint_rule failure_policy{"lint.volcano.failure-policy", warning,
                                          "With restartPolicy OnFailure or Always, a failed container restarts in its "
                                          "pod, and the pod does not fail. A policy for "
                                          "an exit code then never acts, and one for PodFailed does not end the job."};
inline constexpr lint_rule pod_failure{
    "lint.volcano.pod-failure", info,
    "With restartPolicy OnFailure or Always, a failed container restarts in its pod, "
    "so a policy for PodFailed does not act. It acts when a pod fails as a whole, "
    "for example by eviction or with its node."};
inline constexpr lint_rule no_end{
    "lint.volcano.no-end", warning,
    "A job completes when all its pods have ended, or by a policy or minSuccess. Pods that "
    "serve forever keep it running."};
inline constexpr lint_rule torchrun{"lint.volcano.torchrun", warning,
                                    "The plugin pytorch sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, but no "
                                    "variable that torchrun reads. Without "
                                    "options, torchrun trains in each pod alone, and the job completes."};
inline constexpr lint_rule standalone{
    "lint.volcano.standalone", warning,
    "With standalone every pod has its own rendezvous, so the pods train separately."};
inline constexpr lint_rule nodes{"lint.volcano.nnodes", warning,
                                 "torchrun waits for the nodes that --nnodes states. With more nodes than pods it "
                                 "waits forever, and with fewer some pods take no part."};
inline constexpr lint_rule later_field{"lint.volcano.later-field", warning,
                                       "kftrain judges a job as Volcano v1.9.0 does. A server with a release that does "
                                       "not have the field drops it, and the job runs without its effect."};
inline constexpr lint_rule scale_down{"lint.volcano.eviction-by-scaling", info,
                                      "With more replicas than minAvailable, a task can shrink while the job runs. Its "
                                      "deleted pods count as evicted, and a "
                                      "policy for evicted pods then aborts or restarts the job."};
inline constexpr lint_rule retries{"lint.volcano.retries", warning,
                                   "Restart number maxRetry fails the job instead of starting it. With maxRetry 1 the "
                                   "job never restarts, and a resumption counts as a restart."};
inline constexpr lint_rule restart_policy{"lint.volcano.restart-policy", warning,
                                          "A pod with restartPolicy Always, the default, starts its containers again "
                                          "after they succeeded, so the job never completes by itself."};
inline constexpr lint_rule environment{
    "lint.volcano.reserved-environment", warning,
    "Plugins append their variables after those of the template, and the last of equal names wins."};
inline constexpr lint_rule labels{
    "lint.volcano.reserved-label", warning,
    "The operator overwrites its own labels and annotations, because it finds its pods by them."};
inline constexpr lint_rule claim{"lint.volcano.claim-mounted-once", warning,
                                 "If several volumes have the same claim, only the first one is mounted."};
inline constexpr lint_rule world_size{
    "lint.volcano.world-size", warning,
    "Before v1.12 WORLD_SIZE counts the pods of all tasks, so a rendezvous waits for ranks that do not exist."};
inline constexpr lint_rule masters{"lint.volcano.masters", warning,
                                   "The plugin pytorch gives rank 0 to every replica of the master."};
inline constexpr lint_rule open_key{
    "lint.volcano.open-key", warning,
    "A private key in the arguments is visible to everybody with permission to read the job."};
inline constexpr lint_rule plugin_value{"lint.volcano.plugin-value", error,
                                        "With volcano-plugins=designed, plugins copy their arguments unchecked into "
                                        "pods and files. With fewer than one slot or process nothing is started."};
inline constexpr lint_rule empty_role{
    "lint.volcano.empty-role", warning,
    "With volcano-plugins=designed, plugins pass the number or the addresses of servers and workers to the pods. A job "
    "without servers or workers cannot distribute its work."};
inline constexpr lint_rule frameworks{"lint.volcano.frameworks", warning,
                                      "If a job has several framework plugins, only the first by name sets a launch "
                                      "order, because two of them could wait for each other."};
inline constexpr lint_rule pod{"lint.volcano.pod", error,
                               "The server rejects pods that violate its validation rules after the plugins have "
                               "changed them, but it accepts the job. The operator then retries forever."};

inline constexpr std::array all{
    arguments, plugin_task, mpi_workers, ssh_hosts,    subdomain,    service_name,   pod_name,    gang_stage,
    shadowed,  code_action, timeout,     restart_task, scale_down,   failure_policy, pod_failure, no_end,
    torchrun,  standalone,  nodes,       later_field,  retries,      restart_policy, environment, labels,
    claim,     world_size,  masters,     open_key,     plugin_value, empty_role,     frameworks,  pod};

} // namespace kftrain::volcano::lint_rule_of

namespace kftrain::volcano {

/// These expect a job with defaults.
void lint_plugins(job const&, volcano_operator_options const&, issues&);
void lint_policies(job const&, volcano_release, issues&);
void lint_commands(job const&, volcano_operator_options const&, issues&);
void lint_templates(job const&, volcano_operator_options const&, issues&);

} // namespace kftrain::volcano

#endif
