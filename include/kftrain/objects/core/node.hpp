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

    std::string key;                      ///< label key, e.g. `nvidia.com/gpu`
    std::string value;                    ///< value that a toleration with the operator Equal must have; may be empty
    std::string effect;                   ///< NoSchedule, PreferNoSchedule or NoExecute
    std::optional<time_point> time_added; ///< for NoExecute
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(taint, "key", "effect")
KFTRAIN_DESCRIBE(taint, (key, value, effect, time_added))

/// Not served since Kubernetes 1.24.
struct config_map_node_config_source {
    config_map_node_config_source() = default;

    std::string namespace_;         ///< namespace of the config map
    std::string name;               ///< name of the config map
    std::string uid;                ///< uid of the config map; only in the status
    std::string resource_version;   ///< version of the config map; only in the status
    std::string kubelet_config_key; ///< key of the config map with the configuration
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(config_map_node_config_source, "namespace_", "name", "kubelet_config_key")
KFTRAIN_DESCRIBE(config_map_node_config_source, (namespace_, name, uid, resource_version, kubelet_config_key))

/// Not served since Kubernetes 1.24.
struct node_config_source {
    node_config_source() = default;

    boxed<config_map_node_config_source> config_map; ///< the config map with the configuration of the kubelet
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_config_source, (config_map))

/// The settings of a node.
struct node_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(node_spec);

    std::string pod_cidr;                    ///< range of addresses for the pods of this node
    std::vector<std::string> pod_cidrs;      ///< at most one range of IPv4 and one of IPv6; the first is `pod_cidr`
    std::string provider_id;                 ///< `provider://id`
    bool unschedulable = false;              ///< no new pods are scheduled to the node
    std::vector<taint> taints;               ///< effects on pods without a matching toleration
    boxed<node_config_source> config_source; ///< not used since Kubernetes 1.24
    std::string external_id;                 ///< not used by current releases
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(node_spec, {.member = "pod_cidr", .json_name = "podCIDR"},
                    {.member = "pod_cidrs", .json_name = "podCIDRs", .merge_key = "*"},
                    {.member = "provider_id", .json_name = "providerID"},
                    {.member = "external_id", .json_name = "externalID"})
KFTRAIN_DESCRIBE(node_spec, (pod_cidr, pod_cidrs, provider_id, unschedulable, taints, config_source, external_id))

/// One condition of a node.
struct node_condition {
    node_condition() = default;

    std::string type;   ///< Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable
    std::string status; ///< True, False or Unknown
    std::optional<time_point> last_heartbeat_time;  ///< when the kubelet last reported the condition
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;                             ///< reason for the last transition, e.g. KubeletReady
    std::string message;                            ///< details of the last transition, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(node_condition, "type", "status")
KFTRAIN_DESCRIBE(node_condition, (type, status, last_heartbeat_time, last_transition_time, reason, message))

/// One address of a node.
struct node_address {
    node_address() = default;

    std::string type;    ///< Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS
    std::string address; ///< IP address or host name
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(node_address, "type", "address")
KFTRAIN_DESCRIBE(node_address, (type, address))

/// The port of a daemon on the node.
struct daemon_endpoint {
    daemon_endpoint() = default;

    std::int32_t port = 0; ///< TCP port
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(daemon_endpoint, {.member = "port", .json_name = "Port"})
KFTRAIN_REQUIRED(daemon_endpoint, "port")
KFTRAIN_DESCRIBE(daemon_endpoint, (port))

/// The ports of the daemons on the node.
struct node_daemon_endpoints {
    node_daemon_endpoints() = default;

    daemon_endpoint kubelet_endpoint; ///< port of the kubelet, usually 10250
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_daemon_endpoints, (kubelet_endpoint))

/// Versions and identifiers of the software of a node.
struct node_system_info {
    node_system_info() = default;

    std::string machine_id;                ///< from `/etc/machine-id`; preferred to identify the machine
    std::string system_uuid;               ///< UUID of the hardware or virtual machine
    std::string boot_id;                   ///< changes with every boot
    std::string kernel_version;            ///< as `uname -r` prints it
    std::string os_image;                  ///< name of the operating system, from `/etc/os-release`
    std::string container_runtime_version; ///< runtime and version, e.g. `containerd://1.7.22`
    std::string kubelet_version;           ///< e.g. `v1.31.1`
    std::string kube_proxy_version;        ///< deprecated; empty or the version of the kubelet
    std::string operating_system;          ///< linux or windows
    std::string architecture;              ///< e.g. amd64, arm64
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

/// A container image on the node.
struct container_image {
    container_image() = default;

    std::vector<std::string> names; ///< all its names, with tag or digest
    std::int64_t size_bytes = 0;    ///< size in bytes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_image, (names, size_bytes))

/// A volume that is attached to the node.
struct attached_volume {
    attached_volume() = default;

    std::string name;        ///< unique name of the volume; begins with the plugin, e.g. `kubernetes.io/csi/`
    std::string device_path; ///< path of the device on the node
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(attached_volume, "name", "device_path")
KFTRAIN_DESCRIBE(attached_volume, (name, device_path))

/// Not served since Kubernetes 1.24.
struct node_config_status {
    node_config_status() = default;

    boxed<node_config_source> assigned;        ///< the configuration that the kubelet will try to use
    boxed<node_config_source> active;          ///< the configuration in use
    boxed<node_config_source> last_known_good; ///< the configuration in use if `assigned` fails
    std::string error;                         ///< problem with the configuration; empty: none
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_config_status, (assigned, active, last_known_good, error))

/// The features of a runtime handler.
struct node_runtime_handler_features {
    node_runtime_handler_features() = default;

    std::optional<bool> recursive_read_only_mounts; ///< whether mounts can be read-only recursively
    std::optional<bool> user_namespaces;            ///< whether pods can have `host_users` false
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_runtime_handler_features, (recursive_read_only_mounts, user_namespaces))

/// A handler of the container runtime, to which a RuntimeClass refers.
struct node_runtime_handler {
    node_runtime_handler() = default;

    std::string name;                              ///< empty for the default handler
    boxed<node_runtime_handler_features> features; ///< features that the handler supports
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_runtime_handler, (name, features))

/// The features of the container runtime that do not depend on the handler.
struct node_features {
    node_features() = default;

    std::optional<bool> supplemental_groups_policy; ///< whether pods can set `supplemental_groups_policy`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_features, (supplemental_groups_policy))

/// The state of a node, which the kubelet reports.
struct node_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(node_status);

    resource_list capacity;                             ///< total resources
    resource_list allocatable;                          ///< resources available to pods; default: `capacity`
    std::string phase;                                  ///< never set by current releases
    std::vector<node_condition> conditions;             ///< Ready, MemoryPressure, ...; at most one of each type
    std::vector<node_address> addresses;                ///< addresses that reach the node
    node_daemon_endpoints daemon_endpoints;             ///< ports of the daemons on the node
    node_system_info node_info;                         ///< versions and identifiers
    std::vector<container_image> images;                ///< images on the node; the kubelet lists at most 50 by default
    std::vector<std::string> volumes_in_use;            ///< unique names of the attachable volumes that are mounted
    std::vector<attached_volume> volumes_attached;      ///< volumes that are attached to the node
    boxed<node_config_status> config;                   ///< not used since Kubernetes 1.24
    std::vector<node_runtime_handler> runtime_handlers; ///< handlers to which a RuntimeClass can refer
    boxed<node_features> features;                      ///< features of the container runtime
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(node_status, {.member = "conditions", .merge_key = "type"},
                    {.member = "addresses", .merge_key = "type"})
KFTRAIN_DESCRIBE(node_status, (capacity, allocatable, phase, conditions, addresses, daemon_endpoints, node_info, images,
                               volumes_in_use, volumes_attached, config, runtime_handlers, features))

/// A machine of the cluster on which pods run.
struct node {
    node() = default;

    static constexpr resource_info resource{"", "v1", "Node", "nodes", resource_scope::cluster};

    object_meta metadata; ///< name, labels, annotations; pods select nodes by their labels
    node_spec spec;       ///< settings, e.g. taints
    node_status status;   ///< resources, addresses and conditions
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(node, (metadata, spec, status))

} // namespace kftrain::core

#endif
