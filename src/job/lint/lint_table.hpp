#ifndef KFTRAIN_SRC_JOB_LINT_LINT_TABLE_HPP
#define KFTRAIN_SRC_JOB_LINT_LINT_TABLE_HPP

#include <kftrain/job/lint.hpp>

#include <array>

/// The rules of the replica family, as docs/lint-rules.md lists them.
/// Upstream: training-operator v1.9.0 `pkg/controller.v1/common/`, Kubernetes 1.31 `pkg/apis/core/validation/validation.go`.
namespace kftrain::lint {

using enum issue::severity;

/// Of rules about what a server refuses of the pods and services of a job that it takes.
inline constexpr bool keeps_pods_away = true;

inline constexpr lint_rule child_name{
    "lint.child-name", error,
    "Pods and services are named after job, type and index; the server refuses a service whose name is longer than 63 "
    "characters, and the operator then retries for ever without writing a status.",
    keeps_pods_away};
inline constexpr lint_rule reserved_environment{
    "lint.reserved-environment", warning,
    "The operator appends its own variables behind the template's, and the last of equal names wins."};
inline constexpr lint_rule duplicate_environment{"lint.duplicate-environment", warning,
                                                 "Of variables of equal name the container sees the last one only."};
inline constexpr lint_rule long_environment{
    "lint.long-environment", error,
    "Linux starts no program with a variable of 128 KiB, which is what a list of thousands of replicas comes to."};
inline constexpr lint_rule reserved_label{
    "lint.reserved-label", warning,
    "The operator overwrites these labels on every pod, since it finds its pods by them."};
inline constexpr lint_rule template_metadata{"lint.template-metadata", warning,
                                             "Of a template's metadata the operator keeps labels, annotations and "
                                             "finalizers only; the rest is dropped in silence."};
inline constexpr lint_rule restart_policy{"lint.restart-policy", error,
                                          "Admission does not look at the value, the server refuses pods that carry an "
                                          "unknown one, and the job never starts.",
                                          keeps_pods_away};
inline constexpr lint_rule template_restart_policy{
    "lint.template-restart-policy", warning,
    "The replica's restartPolicy always overwrites the template's, and a warning event is raised."};
inline constexpr lint_rule always_restarted{
    "lint.always-restarted", warning,
    "A pod with restartPolicy Always starts its containers again after they succeeded, so the job never succeeds."};
inline constexpr lint_rule pod_failure{"lint.pod-failure", info,
                                       "A pod that fails as a whole, as by eviction or with its node, ends a job of "
                                       "this kind although its restartPolicy says "
                                       "OnFailure or Always; with ExitCode alone it is made anew."};
inline constexpr lint_rule replicas{
    "lint.replicas", warning,
    "With less than one replica the operator creates and deletes pod 0 of the type for ever."};
inline constexpr lint_rule clean_pod_policy{"lint.clean-pod-policy", warning,
                                            "Admission does not look at the value, and any unknown one acts like All."};
inline constexpr lint_rule kept_devices{"lint.kept-devices", info,
                                        "With cleanPodPolicy None, the default, pods that still run when the job ends "
                                        "keep running, and keep their devices."};
inline constexpr lint_rule active_deadline{
    "lint.active-deadline", error,
    "A deadline of zero or less has passed when the job starts, which then fails at once."};
inline constexpr lint_rule late_deadline{
    "lint.late-deadline", info,
    "The operator sets no timer for the deadline: it notices that it has passed when something else changes the job."};
inline constexpr lint_rule negative_limit{"lint.negative-limit", warning,
                                          "A negative number is taken as it is: the limit is exceeded from the start."};
inline constexpr lint_rule unused_backoff_limit{"lint.unused-backoff-limit", info,
                                                "The limit counts restarts of containers; a restartPolicy of Never has "
                                                "none, and ExitCode replaces the whole pod, whose "
                                                "count begins at 0."};
inline constexpr lint_rule ttl_exit_code{"lint.ttl-exit-code", warning,
                                         "A job that fails for good under restartPolicy ExitCode gets no completion "
                                         "time, without which it is not deleted when its "
                                         "time to live has passed."};
inline constexpr lint_rule gang_deadlock{
    "lint.gang-deadlock", error,
    "The scheduler waits for minAvailable pods before it places any, and the job has fewer."};
inline constexpr lint_rule gang_partial{"lint.gang-partial", warning,
                                        "The scheduler may place fewer pods than the job has, and the placed ones wait "
                                        "for the others while holding their devices."};
inline constexpr lint_rule container_names{
    "lint.container-names", error,
    "The server refuses pods in which a container has no name, two have the same, or a name is no lower-case label.",
    keeps_pods_away};
inline constexpr lint_rule container_ports{"lint.container-ports", error,
                                           "The server refuses pods with a port out of range, or with a port name that "
                                           "is no lower-case service name of at most 15 "
                                           "characters or occurs twice in a container.",
                                           keeps_pods_away};
inline constexpr lint_rule service_ports{
    "lint.service-ports", error,
    "Each replica gets a service with all ports of the training container; the server refuses it when one of several "
    "ports has "
    "no name or two have the same number, and the operator then retries for ever without writing a status.",
    keeps_pods_away};
inline constexpr lint_rule resources{
    "lint.resources", error,
    "The server refuses pods that request more than their limit, of devices and huge pages anything but the limit, or "
    "resources that it does not know.",
    keeps_pods_away};
inline constexpr lint_rule volume_mount{"lint.volume-mount", error,
                                        "The server refuses pods with a mount of a volume that the pod does not have, "
                                        "without a place, or at the place of another.",
                                        keeps_pods_away};
inline constexpr lint_rule pod{"lint.pod", error,
                               "The server refuses such pods; it takes the job all the same, and the operator then "
                               "retries for ever without writing a status.",
                               keeps_pods_away};
inline constexpr lint_rule sidecar{"lint.sidecar", warning,
                                   "A pod ends when all its containers have ended: a side container that serves for "
                                   "ever keeps the job from finishing; on a cluster make "
                                   "it an init container with restartPolicy Always."};
inline constexpr lint_rule moving_image{"lint.moving-image", info,
                                        "An image without tag or with the tag latest may change between the pulls of "
                                        "two replicas, which then run different code."};

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
                                active_deadline,
                                late_deadline,
                                negative_limit,
                                unused_backoff_limit,
                                ttl_exit_code,
                                gang_deadlock,
                                gang_partial,
                                container_names,
                                container_ports,
                                service_ports,
                                resources,
                                volume_mount,
                                pod,
                                sidecar,
                                moving_image};

} // namespace kftrain::lint

#endif
