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

struct pod_condition {
    pod_condition() = default;

    std::string type;   ///< PodScheduled, Initialized, ContainersReady, Ready, DisruptionTarget, ...
    std::string status; ///< True, False or Unknown
    std::optional<time_point> last_probe_time;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_condition, "type", "status")
KFTRAIN_DESCRIBE(pod_condition, (type, status, last_probe_time, last_transition_time, reason, message))

struct host_ip {
    host_ip() = default;

    std::string ip;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(host_ip, "ip")
KFTRAIN_DESCRIBE(host_ip, (ip))

struct pod_ip {
    pod_ip() = default;

    std::string ip;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_ip, "ip")
KFTRAIN_DESCRIBE(pod_ip, (ip))

/// The claim that was created from a template.
struct pod_resource_claim_status {
    pod_resource_claim_status() = default;

    std::string name;
    std::optional<std::string> resource_claim_name;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_resource_claim_status, "name")
KFTRAIN_DESCRIBE(pod_resource_claim_status, (name, resource_claim_name))

struct pod_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_status);

    std::string phase; ///< Pending, Running, Succeeded, Failed or Unknown
    std::vector<pod_condition> conditions;
    std::string message;
    std::string reason;              ///< e.g. Evicted
    std::string nominated_node_name; ///< node on which pods are preempted to make room for it
    std::string host_ip;
    std::vector<kftrain::core::host_ip> host_ips;
    std::string pod_ip;
    std::vector<kftrain::core::pod_ip> pod_ips;
    std::optional<time_point> start_time; ///< when the kubelet accepted the pod
    std::vector<container_status> init_container_statuses;
    std::vector<container_status> container_statuses;
    std::string qos_class; ///< Guaranteed, Burstable or BestEffort
    std::vector<container_status> ephemeral_container_statuses;
    std::string resize; ///< Proposed, InProgress, Deferred or Infeasible
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

struct pod {
    pod() = default;

    static constexpr resource_info resource{"", "v1", "Pod", "pods"};

    object_meta metadata;
    pod_spec spec;
    pod_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod, (metadata, spec, status))

struct pod_template {
    pod_template() = default;

    static constexpr resource_info resource{"", "v1", "PodTemplate", "podtemplates"};

    object_meta metadata;
    pod_template_spec template_;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod_template, (metadata, template_))

/// Assigns the pod of the same name to the node `target`.
struct binding {
    binding() = default;

    static constexpr resource_info resource{"", "v1", "Binding", "bindings"};

    object_meta metadata;
    object_reference target;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(binding, "target")
KFTRAIN_DESCRIBE_RESOURCE(binding, (metadata, target))

} // namespace kftrain::core

namespace kftrain {
using core::pod;
}

#endif
