#ifndef KFTRAIN_OBJECTS_CORE_POD_HPP
#define KFTRAIN_OBJECTS_CORE_POD_HPP

/** @file
    Pods.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/container_status.hpp>
#include <kftrain/objects/core/pod_spec.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

/// One condition of a pod.
struct pod_condition {
    pod_condition() = default;

    std::string type;   ///< PodScheduled, Initialized, ContainersReady, Ready, DisruptionTarget, ...
    std::string status; ///< True, False or Unknown
    std::optional<time_point> last_probe_time;      ///< time of the last check; usually absent
    std::optional<time_point> last_transition_time; ///< time of the last change of `status`
    std::string reason;                             ///< one word in CamelCase, e.g. Unschedulable
    std::string message;                            ///< details of the reason
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_condition, "type", "status")
KFTRAIN_DESCRIBE(pod_condition, (type, status, last_probe_time, last_transition_time, reason, message))

/// One address of the node of a pod.
struct host_ip {
    host_ip() = default;

    std::string ip; ///< IPv4 or IPv6 address
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(host_ip, "ip")
KFTRAIN_DESCRIBE(host_ip, (ip))

/// One address of a pod.
struct pod_ip {
    pod_ip() = default;

    std::string ip; ///< IPv4 or IPv6 address
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_ip, "ip")
KFTRAIN_DESCRIBE(pod_ip, (ip))

/// The claim that was created from a template.
struct pod_resource_claim_status {
    pod_resource_claim_status() = default;

    std::string name;                               ///< name of the claim in the specification of the pod
    std::optional<std::string> resource_claim_name; ///< name of the ResourceClaim; absent if none was necessary
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_resource_claim_status, "name")
KFTRAIN_DESCRIBE(pod_resource_claim_status, (name, resource_claim_name))

/// The observed state of a pod.
struct pod_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_status);

    std::string phase;                     ///< Pending, Running, Succeeded, Failed or Unknown
    std::vector<pod_condition> conditions; ///< conditions by type
    std::string message;                   ///< details of the reason
    std::string reason;                    ///< why it is in this phase, e.g. Evicted
    std::string nominated_node_name;       ///< node on which pods are preempted to make room for it
    std::string host_ip;                   ///< address of its node; empty before the pod starts
    /// Addresses of its node, `host_ip` first; at most one of each IP version.
    std::vector<kftrain::core::host_ip> host_ips;
    std::string pod_ip; ///< address of the pod; empty before it has one
    /// Addresses of the pod, `pod_ip` first; at most one of each IP version.
    std::vector<kftrain::core::pod_ip> pod_ips;
    std::optional<time_point> start_time;                  ///< when the kubelet accepted the pod
    std::vector<container_status> init_container_statuses; ///< one entry for each init container
    std::vector<container_status> container_statuses;      ///< one entry for each container
    std::string qos_class; ///< Guaranteed, Burstable or BestEffort; follows from its requests and limits
    std::vector<container_status> ephemeral_container_statuses; ///< one entry for each ephemeral container that has run
    std::string resize; ///< Proposed, InProgress, Deferred or Infeasible; empty: no change of resources is pending
    /// Claims that were created from templates, by name.
    std::vector<pod_resource_claim_status> resource_claim_statuses;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pod_status, {.member = "conditions", .merge_key = "type"},
                    {.member = "host_ip", .json_name = "hostIP"},
                    {.member = "host_ips", .json_name = "hostIPs", .merge_key = "ip"},
                    {.member = "pod_ip", .json_name = "podIP"},
                    {.member = "pod_ips", .json_name = "podIPs", .merge_key = "ip"},
                    {.member = "resource_claim_statuses", .merge_key = "name", .retain_keys = true})
KFTRAIN_DESCRIBE(pod_status, (phase, conditions, message, reason, nominated_node_name, host_ip, host_ips, pod_ip,
                              pod_ips, start_time, init_container_statuses, container_statuses, qos_class,
                              ephemeral_container_statuses, resize, resource_claim_statuses))

/// Containers that run together on one node.
struct pod {
    pod() = default;

    static constexpr resource_info resource{"", "v1", "Pod", "pods"};

    object_meta metadata; ///< name, namespace, labels and other metadata
    pod_spec spec;        ///< desired state
    pod_status status;    ///< observed state; the kubelet writes it
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod, (metadata, spec, status))

/// A template of pods that is stored by itself.
struct pod_template {
    pod_template() = default;

    static constexpr resource_info resource{"", "v1", "PodTemplate", "podtemplates"};

    object_meta metadata;        ///< name, namespace, labels and other metadata
    pod_template_spec template_; ///< metadata and specification of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod_template, (metadata, template_))

/// Assigns the pod of the same name to the node `target`.
struct binding {
    binding() = default;

    static constexpr resource_info resource{"", "v1", "Binding", "bindings"};

    object_meta metadata;    ///< name and namespace of the pod
    object_reference target; ///< the node, of kind Node
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(binding, "target")
KFTRAIN_DESCRIBE_RESOURCE(binding, (metadata, target))

} // namespace kftrain::core

namespace kftrain {
using core::pod;
}

#endif
