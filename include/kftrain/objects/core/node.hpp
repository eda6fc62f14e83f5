#ifndef KFTRAIN_OBJECTS_CORE_NODE_HPP
#define KFTRAIN_OBJECTS_CORE_NODE_HPP

/** @file
    Nodes.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// Keeps pods without a matching toleration away from the node.
struct taint {
    taint() = default;

    std::string key;
    std::string value;
    std::string effect;                   ///< NoSchedule, PreferNoSchedule or NoExecute
    std::optional<time_point> time_added; ///< for NoExecute
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(taint, "key", "effect")
KFTRAIN_DESCRIBE(taint, (key, value, effect, time_added))

/// Not served since Kubernetes 1.24.
struct config_map_node_config_source {
    config_map_node_config_source() = default;

    std::string namespace_;
    std::string name;
    std::string uid;
    std::string resource_version;
    std::string kubelet_config_key;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(config_map_node_config_source, "namespace_", "name", "kubelet_config_key")
KFTRAIN_DESCRIBE(config_map_node_config_source, (namespace_, name, uid, resource_version, kubelet_config_key))

/// Not served since Kubernetes 1.24.
struct node_config_source {
    node_config_source() = default;

    boxed<config_map_node_config_source> config_map;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_config_source, (config_map))

struct node_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(node_spec);

    std::string pod_cidr; ///< range of addresses for the pods of this node
    std::vector<std::string> pod_cidrs;
    std::string provider_id;    ///< `provider://id`
    bool unschedulable = false; ///< no new pods are scheduled to the node
    std::vector<taint> taints;
    boxed<node_config_source> config_source;
    std::string external_id; ///< of old releases
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(node_spec, {.member = "pod_cidr", .json_name = "podCIDR"},
                    {.member = "pod_cidrs", .json_name = "podCIDRs", .merge_key = "*"},
                    {.member = "provider_id", .json_name = "providerID"},
                    {.member = "external_id", .json_name = "externalID"})
KFTRAIN_DESCRIBE(node_spec, (pod_cidr, pod_cidrs, provider_id, unschedulable, taints, config_source, external_id))

struct node_condition {
    node_condition() = default;

    std::string type;   ///< Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable
    std::string status; ///< True, False or Unknown
    std::optional<time_point> last_heartbeat_time;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(node_condition, "type", "status")
KFTRAIN_DESCRIBE(node_condition, (type, status, last_heartbeat_time, last_transition_time, reason, message))

struct node_address {
    node_address() = default;

    std::string type; ///< Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS
    std::string address;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(node_address, "type", "address")
KFTRAIN_DESCRIBE(node_address, (type, address))

struct daemon_endpoint {
    daemon_endpoint() = default;

    std::int32_t port = 0;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(daemon_endpoint, {.member = "port", .json_name = "Port"})
KFTRAIN_REQUIRED(daemon_endpoint, "port")
KFTRAIN_DESCRIBE(daemon_endpoint, (port))

struct node_daemon_endpoints {
    node_daemon_endpoints() = default;

    daemon_endpoint kubelet_endpoint;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_daemon_endpoints, (kubelet_endpoint))

struct node_system_info {
    node_system_info() = default;

    std::string machine_id;
    std::string system_uuid;
    std::string boot_id;
    std::string kernel_version;
    std::string os_image;
    std::string container_runtime_version;
    std::string kubelet_version;
    std::string kube_proxy_version;
    std::string operating_system;
    std::string architecture;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(node_system_info, {.member = "machine_id", .json_name = "machineID"},
                    {.member = "system_uuid", .json_name = "systemUUID"}, {.member = "boot_id", .json_name = "bootID"})
KFTRAIN_REQUIRED(node_system_info, "machine_id", "system_uuid", "boot_id", "kernel_version", "os_image",
                 "container_runtime_version", "kubelet_version", "kube_proxy_version", "operating_system",
                 "architecture")
KFTRAIN_DESCRIBE(node_system_info,
                 (machine_id, system_uuid, boot_id, kernel_version, os_image, container_runtime_version,
                  kubelet_version, kube_proxy_version, operating_system, architecture))

struct container_image {
    container_image() = default;

    std::vector<std::string> names;
    std::int64_t size_bytes = 0; ///< in bytes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_image, (names, size_bytes))

struct attached_volume {
    attached_volume() = default;

    std::string name;
    std::string device_path;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(attached_volume, "name", "device_path")
KFTRAIN_DESCRIBE(attached_volume, (name, device_path))

/// Not served since Kubernetes 1.24.
struct node_config_status {
    node_config_status() = default;

    boxed<node_config_source> assigned;
    boxed<node_config_source> active;
    boxed<node_config_source> last_known_good;
    std::string error;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_config_status, (assigned, active, last_known_good, error))

struct node_runtime_handler_features {
    node_runtime_handler_features() = default;

    std::optional<bool> recursive_read_only_mounts;
    std::optional<bool> user_namespaces;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_runtime_handler_features, (recursive_read_only_mounts, user_namespaces))

struct node_runtime_handler {
    node_runtime_handler() = default;

    std::string name;
    boxed<node_runtime_handler_features> features;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_runtime_handler, (name, features))

struct node_features {
    node_features() = default;

    std::optional<bool> supplemental_groups_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_features, (supplemental_groups_policy))

struct node_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(node_status);

    resource_list capacity;    ///< total resources
    resource_list allocatable; ///< resources available to pods
    std::string phase;         ///< of old releases
    std::vector<node_condition> conditions;
    std::vector<node_address> addresses;
    node_daemon_endpoints daemon_endpoints;
    node_system_info node_info;
    std::vector<container_image> images;
    std::vector<std::string> volumes_in_use;
    std::vector<attached_volume> volumes_attached;
    boxed<node_config_status> config;
    std::vector<node_runtime_handler> runtime_handlers;
    boxed<node_features> features;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(node_status, {.member = "conditions", .merge_key = "type"},
                    {.member = "addresses", .merge_key = "type"})
KFTRAIN_DESCRIBE(node_status, (capacity, allocatable, phase, conditions, addresses, daemon_endpoints, node_info, images,
                               volumes_in_use, volumes_attached, config, runtime_handlers, features))

struct node {
    node() = default;

    static constexpr resource_info resource{"", "v1", "Node", "nodes", resource_scope::cluster};

    object_meta metadata;
    node_spec spec;
    node_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(node, (metadata, spec, status))

} // namespace kftrain::core

#endif
