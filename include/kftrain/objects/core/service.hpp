#ifndef KFTRAIN_OBJECTS_CORE_SERVICE_HPP
#define KFTRAIN_OBJECTS_CORE_SERVICE_HPP

/** @file
    Services and their endpoints.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

struct service_port {
    service_port() = default;

    std::string name;
    std::string protocol;                    ///< TCP, UDP or SCTP; empty means TCP
    std::optional<std::string> app_protocol; ///< e.g. `kubernetes.io/h2c`
    std::int32_t port = 0;
    std::optional<int_or_string> target_port; ///< port of the pods, as number or name; absent: `port`
    std::int32_t node_port = 0;               ///< port of every node, for NodePort and LoadBalancer
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(service_port, "port")
KFTRAIN_DESCRIBE(service_port, (name, protocol, app_protocol, port, target_port, node_port))

/// Sends a client to the same pod for this time.
struct client_ip_config {
    client_ip_config() = default;

    std::optional<std::int32_t> timeout_seconds; ///< absent means 10800
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(client_ip_config, (timeout_seconds))

struct session_affinity_config {
    session_affinity_config() = default;

    boxed<client_ip_config> client_ip;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(session_affinity_config, {.member = "client_ip", .json_name = "clientIP"})
KFTRAIN_DESCRIBE(session_affinity_config, (client_ip))

struct service_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(service_spec);

    std::vector<service_port> ports;
    string_map selector;    ///< selects pods; empty: the endpoints are managed externally
    std::string cluster_ip; ///< `None` makes the service headless
    std::vector<std::string> cluster_ips;
    std::string type; ///< ClusterIP, NodePort, LoadBalancer or ExternalName; empty means ClusterIP
    std::vector<std::string> external_ips;
    std::string session_affinity; ///< None or ClientIP
    std::string load_balancer_ip;
    std::vector<std::string> load_balancer_source_ranges; ///< CIDRs of clients
    std::string external_name;                            ///< the alias, with type ExternalName
    std::string external_traffic_policy;                  ///< Cluster or Local
    std::int32_t health_check_node_port = 0;
    bool publish_not_ready_addresses = false; ///< names of pods resolve before they are ready
    boxed<kftrain::core::session_affinity_config> session_affinity_config;
    std::vector<std::string> ip_families;        ///< IPv4, IPv6
    std::optional<std::string> ip_family_policy; ///< SingleStack, PreferDualStack or RequireDualStack
    std::optional<bool> allocate_load_balancer_node_ports;
    std::optional<std::string> load_balancer_class;
    std::optional<std::string> internal_traffic_policy; ///< Cluster or Local
    std::optional<std::string> traffic_distribution;    ///< e.g. PreferClose
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(service_spec, {.member = "ports", .merge_key = "port", .list_keys = "port,protocol"},
                    {.member = "cluster_ip", .json_name = "clusterIP"},
                    {.member = "cluster_ips", .json_name = "clusterIPs"},
                    {.member = "external_ips", .json_name = "externalIPs"},
                    {.member = "load_balancer_ip", .json_name = "loadBalancerIP"})
KFTRAIN_DESCRIBE(service_spec, (ports, selector, cluster_ip, cluster_ips, type, external_ips, session_affinity,
                                load_balancer_ip, load_balancer_source_ranges, external_name, external_traffic_policy,
                                health_check_node_port, publish_not_ready_addresses, session_affinity_config,
                                ip_families, ip_family_policy, allocate_load_balancer_node_ports, load_balancer_class,
                                internal_traffic_policy, traffic_distribution))

struct port_status {
    port_status() = default;

    std::int32_t port = 0;
    std::string protocol;
    std::optional<std::string> error;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(port_status, "port", "protocol")
KFTRAIN_DESCRIBE(port_status, (port, protocol, error))

/// One of the two is set.
struct load_balancer_ingress {
    load_balancer_ingress() = default;

    std::string ip;
    std::string hostname;
    std::optional<std::string> ip_mode; ///< VIP or Proxy
    std::vector<port_status> ports;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(load_balancer_ingress, (ip, hostname, ip_mode, ports))

struct load_balancer_status {
    load_balancer_status() = default;

    std::vector<load_balancer_ingress> ingress;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(load_balancer_status, (ingress))

struct service_status {
    service_status() = default;

    load_balancer_status load_balancer;
    std::vector<meta::condition> conditions;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(service_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(service_status, (load_balancer, conditions))

struct service {
    service() = default;

    static constexpr resource_info resource{"", "v1", "Service", "services"};

    object_meta metadata;
    service_spec spec;
    service_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(service, (metadata, spec, status))

struct endpoint_address {
    endpoint_address() = default;

    std::string ip;
    std::string hostname;
    std::optional<std::string> node_name;
    boxed<object_reference> target_ref;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(endpoint_address, "ip")
KFTRAIN_DESCRIBE(endpoint_address, (ip, hostname, node_name, target_ref))

struct endpoint_port {
    endpoint_port() = default;

    std::string name;
    std::int32_t port = 0;
    std::string protocol;
    std::optional<std::string> app_protocol;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(endpoint_port, "port")
KFTRAIN_DESCRIBE(endpoint_port, (name, port, protocol, app_protocol))

/// All combinations of these addresses and ports.
struct endpoint_subset {
    endpoint_subset() = default;

    std::vector<endpoint_address> addresses;
    std::vector<endpoint_address> not_ready_addresses;
    std::vector<endpoint_port> ports;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(endpoint_subset, (addresses, not_ready_addresses, ports))

/// The addresses behind the service of the same name.
struct endpoints {
    endpoints() = default;

    static constexpr resource_info resource{"", "v1", "Endpoints", "endpoints"};

    object_meta metadata;
    std::vector<endpoint_subset> subsets;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(endpoints, (metadata, subsets))

} // namespace kftrain::core

namespace kftrain {
using core::service;
}

#endif
