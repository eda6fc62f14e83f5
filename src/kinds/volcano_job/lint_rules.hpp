#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_LINT_RULES_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_LINT_RULES_HPP

#include "kinds/volcano_job/names.hpp"

#include <kftrain/job/lint.hpp>

#include <array>

/// Rules of Volcano Jobs alone.
namespace kftrain::volcano::lint_rule_of {

using enum issue::severity;

inline constexpr lint_rule arguments{"lint.volcano.plugin-arguments", warning,
                                     "A plugin reads its arguments up to the first that it cannot read; that one and "
                                     "the rest have no effect, and nobody "
                                     "is told."};
inline constexpr lint_rule plugin_task{
    "lint.volcano.plugin-task", error,
    "A plugin finds its tasks by their names: without the one that leads it sets nothing, or creates no pods."};
inline constexpr lint_rule mpi_workers{
    "lint.volcano.mpi-workers", error,
    "The operator of v1.9.0 ends when it makes the master of a job whose worker task has no replicas."};
inline constexpr lint_rule ssh_hosts{
    "lint.volcano.ssh-hosts", warning,
    "The hosts in the configuration of ssh resolve by the service of plugin svc, which the job does not have."};
inline constexpr lint_rule subdomain{
    "lint.volcano.subdomain", warning,
    "The service of plugin svc has the name of the job; hosts of another subdomain do not resolve by it."};
inline constexpr lint_rule service_name{"lint.volcano.service-name", error,
                                        "The service has the name of the job, and the server refuses it unless that is "
                                        "a label that begins with a letter; the "
                                        "job then stays Pending."};
inline constexpr lint_rule pod_name{
    "lint.volcano.pod-name", error,
    "Admission looks at one name for each task; names of further pods may be too long for the host names that they "
    "become."};
inline constexpr lint_rule gang_stage{
    "lint.volcano.depends-on-gang", error,
    "Pods of a task that waits for another do not exist yet, and count for the gang all the same: it starts only if "
    "minAvailable is no more than the pods of the tasks that wait for nobody, and less than the sum over all tasks."};
inline constexpr lint_rule shadowed{
    "lint.volcano.shadowed-policy", warning,
    "The first policy of a list that matches decides: behind one for PodFailed or * no exit code is looked at."};
inline constexpr lint_rule code_action{
    "lint.volcano.exit-code-action", warning,
    "Admission does not look at the action of a policy with an exit code, and an unknown one does nothing."};
inline constexpr lint_rule timeout{"lint.volcano.policy-timeout", warning,
                                   "Nobody looks at the timeout of a policy before v1.11: it acts at once."};
inline constexpr lint_rule restart_task{"lint.volcano.restart-task", warning,
                                        "Before v1.11 the action RestartTask does nothing."};
inline constexpr lint_rule scale_down{
    "lint.volcano.eviction-by-scaling", info,
    "Pods that go because their task shrinks are evicted to the policies, too, which then abort or restart the job."};
inline constexpr lint_rule retries{
    "lint.volcano.retries", warning,
    "The restart of number maxRetry fails the job instead of starting it: with 1 there is no restart, and a resumption "
    "counts as one."};
inline constexpr lint_rule restart_policy{
    "lint.volcano.restart-policy", warning,
    "A pod with restartPolicy Always, the default, starts its containers again after they succeeded, so the job never "
    "completes by itself."};
inline constexpr lint_rule environment{
    "lint.volcano.reserved-environment", warning,
    "Plugins append their variables behind the template's, and the last of equal names wins."};
inline constexpr lint_rule labels{"lint.volcano.reserved-label", warning,
                                  "The operator overwrites these labels and annotations, by which it finds its pods."};
inline constexpr lint_rule claim{"lint.volcano.claim-mounted-once", warning,
                                 "Of volumes with the same claim only the first is mounted."};
inline constexpr lint_rule world_size{
    "lint.volcano.world-size", warning,
    "Before v1.12 WORLD_SIZE counts the pods of all tasks, and a rendezvous waits for ranks that nobody has."};
inline constexpr lint_rule masters{"lint.volcano.masters", warning,
                                   "Plugin pytorch tells every replica of the master the rank 0."};
inline constexpr lint_rule open_key{"lint.volcano.open-key", warning,
                                    "A private key among the arguments is shown to everybody who may read the job."};
inline constexpr lint_rule plugin_value{
    "lint.volcano.plugin-value", error,
    "Plugins as designed put their arguments into pods and files as they are: fewer than one slot or process starts "
    "nothing."};
inline constexpr lint_rule empty_role{
    "lint.volcano.empty-role", warning,
    "Plugins as designed tell pods how many servers and workers there are, or where: with none of them there is nobody "
    "to share the work with."};
inline constexpr lint_rule frameworks{
    "lint.volcano.frameworks", warning,
    "Of several plugins of frameworks only the first by name gives a launch order: two of them could wait for each "
    "other."};
inline constexpr lint_rule pod{
    "lint.volcano.pod", error,
    "The server refuses pods as the plugins complete them; it takes the job all the same, and "
    "the operator then retries for ever."};

inline constexpr std::array all{
    arguments,   plugin_task, mpi_workers,  ssh_hosts,    subdomain,  service_name,   pod_name,    gang_stage, shadowed,
    code_action, timeout,     restart_task, scale_down,   retries,    restart_policy, environment, labels,     claim,
    world_size,  masters,     open_key,     plugin_value, empty_role, frameworks,     pod};

} // namespace kftrain::volcano::lint_rule_of

namespace kftrain::volcano {

/// Of a job with defaults.
void lint_plugins(job const&, job_operator_options const&, issues&);
void lint_policies(job const&, volcano_release, issues&);
void lint_templates(job const&, job_operator_options const&, issues&);

} // namespace kftrain::volcano

#endif
