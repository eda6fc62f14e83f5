#ifndef KFTRAIN_SRC_JOB_V1_LINT_LINT_TABLE_HPP
#define KFTRAIN_SRC_JOB_V1_LINT_LINT_TABLE_HPP

#include <kftrain/job/lint.hpp>

#include <array>

/// The rules of the replica family, as docs/reference/lint-rules.md lists them. Upstream: training-operator v1.9.0
/// `pkg/controller.v1/common/`, Kubernetes 1.31 `pkg/apis/core/validation/validation.go`.
namespace kftrain::lint {

using enum issue::severity;

/// Marks the rules for pods and services that a server refuses although it accepts their job.
inline constexpr bool keeps_pods_away = true;

inline constexpr lint_rule child_name{
    "lint.child-name", error,
    "Pods and services are named after job, type and index. The server rejects a service whose name is longer than 63 "
    "characters, and the operator then retries forever without writing a status.",
    keeps_pods_away};
inline constexpr lint_rule reserved_environment{
    "lint.reserved-environment", warning,
    "The operator appends its own variables after those of the template, and the last of equal names wins."};
inline constexpr lint_rule duplicate_environment{
    "lint.duplicate-environment", warning,
    "If several variables have the same name, the container sees only the last one."};
inline constexpr lint_rule long_environment{
    "lint.long-environment", error,
    "Linux starts no program with a variable of 128 KiB. A list of thousands of replicas reaches this size."};
inline constexpr lint_rule reserved_label{
    "lint.reserved-label", warning,
    "The operator overwrites its own labels on every pod, because it finds its pods by them."};
inline constexpr lint_rule template_metadata{
    "lint.template-metadata", warning,
    "The operator keeps only labels, annotations and finalizers of a template's metadata. It drops the rest silently."};
inline constexpr lint_rule restart_policy{
    "lint.restart-policy", error,
    "Admission does not check the value. The server rejects pods with an unknown one, and the job never starts.",
    keeps_pods_away};
inline constexpr lint_rule template_restart_policy{
    "lint.template-restart-policy", warning,
    "The replica's restartPolicy always overwrites the template's, and the operator emits a warning event."};
inline constexpr lint_rule always_restarted{
    "lint.always-restarted", warning,
    "A pod with restartPolicy Always starts its containers again after they succeeded, so the job never succeeds."};
inline constexpr lint_rule pod_failure{
    "lint.pod-failure", info,
    "A pod that fails as a whole, for example by eviction or with its node, ends the job although its restartPolicy is "
    "OnFailure or Always. The operator creates the pod again only with ExitCode."};
inline constexpr lint_rule replicas{
    "lint.replicas", warning, "With less than one replica the operator creates and deletes pod 0 of the type forever."};
inline constexpr lint_rule clean_pod_policy{"lint.clean-pod-policy", warning,
                                            "Admission does not check the value, and every unknown one acts like All."};
inline constexpr lint_rule kept_devices{"lint.kept-devices", info,
                                        "With cleanPodPolicy None, the default, pods that still run when the job ends "
                                        "keep running, and keep their devices."};
inline constexpr lint_rule limits_delete_pods{
    "lint.limits-delete-pods", info,
    "If the job exceeds backoffLimit or activeDeadlineSeconds, the operator deletes all pods, also with cleanPodPolicy "
    "None."};
inline constexpr lint_rule active_deadline{
    "lint.active-deadline", error,
    "A deadline of zero or less has passed when the job starts, so the job fails immediately."};
inline constexpr lint_rule late_deadline{"lint.late-deadline", info,
                                         "The operator sets no timer for the deadline. It notices that the deadline "
                                         "has passed only when something else changes the job."};
inline constexpr lint_rule negative_limit{"lint.negative-limit", warning,
                                          "A negative number is used as it is: the limit is exceeded from the start."};
inline constexpr lint_rule unused_backoff_limit{
    "lint.unused-backoff-limit", info,
    "The back-off limit counts restarts of containers. With restartPolicy Never there are none, and ExitCode replaces "
    "the whole pod, whose count starts at 0."};
inline constexpr lint_rule managed_by{
    "lint.managed-by", info,
    "The operator ignores a job that another controller manages. It does not even write a status."};
inline constexpr lint_rule suspended{"lint.suspended", info,
                                     "A suspended job has no pods until you set suspend to false."};
inline constexpr lint_rule ttl_exit_code{"lint.ttl-exit-code", warning,
                                         "A job that fails permanently under restartPolicy ExitCode gets no completion "
                                         "time. Without it the job is not deleted after its time to live."};
inline constexpr lint_rule gang_deadlock{
    "lint.gang-deadlock", error,
    "The scheduler waits for minAvailable pods before it places any, and the job has fewer."};
inline constexpr lint_rule gang_partial{"lint.gang-partial", warning,
                                        "The scheduler may place fewer pods than the job has. The placed pods wait for "
                                        "the others while they hold their devices."};
inline constexpr lint_rule gang_flag{"lint.gang-flag", info,
                                     "Only an operator with the flag --gang-scheduler-name creates PodGroups. Without "
                                     "it, schedulingPolicy has no effect, "
                                     "and Volcano schedules each pod alone."};
inline constexpr lint_rule container_names{"lint.container-names", error,
                                           "The server rejects a pod in which a container has no name, two have the "
                                           "same name, or a name is not a lower-case label.",
                                           keeps_pods_away};
inline constexpr lint_rule container_ports{
    "lint.container-ports", error,
    "The server rejects a pod with a port out of range, or with a port name that is not a lower-case service name of "
    "at most 15 characters or occurs twice in a container.",
    keeps_pods_away};
inline constexpr lint_rule service_ports{
    "lint.service-ports", error,
    "Each replica gets a service with all ports of the training container. The server rejects it if one of several "
    "ports has no name or two have the same number. The operator then retries forever without writing a status.",
    keeps_pods_away};
inline constexpr lint_rule port_name{
    "lint.port-name", info,
    "The operator finds the port of the framework by its name. If no port of the training container has this name, "
    "replicas receive the default port."};
inline constexpr lint_rule resources{"lint.resources", error,
                                     "The server rejects pods with a request above its limit, with different requests "
                                     "and limits for devices or huge pages, or with unknown resources.",
                                     keeps_pods_away};
inline constexpr lint_rule volume_mount{"lint.volume-mount", error,
                                        "The server rejects pods with a mount of a volume that the pod does not have, "
                                        "without a path, or at the path of another mount.",
                                        keeps_pods_away};
inline constexpr lint_rule pod{"lint.pod", error,
                               "The server rejects pods that violate its validation rules, but it accepts the job. The "
                               "operator then retries forever without writing a status.",
                               keeps_pods_away};
inline constexpr lint_rule sidecar{
    "lint.sidecar", warning,
    "A pod ends when all its containers have ended. A side container that runs forever keeps the job from finishing. "
    "On a cluster, make it an init container with restartPolicy Always."};
inline constexpr lint_rule moving_image{"lint.moving-image", info,
                                        "An image without a tag, or with the tag latest, can change between the pulls "
                                        "of two replicas, which then run different code."};

inline constexpr std::array all{child_name,
                                reserved_environment,
                                duplicate_environment,
                                long_environment,
                                reserved_label,
                                template_metadata,
                                restart_policy,
                                template_restart_policy,
                                always_restarted,
                                pod_failure,
                                replicas,
                                clean_pod_policy,
                                kept_devices,
                                limits_delete_pods,
                                active_deadline,
                                late_deadline,
                                negative_limit,
                                unused_backoff_limit,
                                managed_by,
                                suspended,
                                ttl_exit_code,
                                gang_deadlock,
                                gang_partial,
                                gang_flag,
                                container_names,
                                container_ports,
                                service_ports,
                                port_name,
                                resources,
                                volume_mount,
                                pod,
                                sidecar,
                                moving_image};

} // namespace kftrain::lint

#endif
