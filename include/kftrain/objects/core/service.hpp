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

/// A port of a service.
struct service_port {
    service_port() = default;

    std::string name;                         ///< unique in the service; may be empty if there is only one port
    std::string protocol;                     ///< TCP, UDP or SCTP; empty means TCP
    std::optional<std::string> app_protocol;  ///< hint for proxies: an IANA service name, or e.g. `kubernetes.io/h2c`
    std::int32_t port = 0;                    ///< port of the service, 1 to 65535
    std::optional<int_or_string> target_port; ///< port of the pods, as number or name; absent: `port`
    std::int32_t node_port = 0; ///< port of every node, for NodePort and LoadBalancer; 0: the server assigns one
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(service_port, "port")
KFTRAIN_DESCRIBE(service_port, (name, protocol, app_protocol, port, target_port, node_port))

/// Sends a client to the same pod for this time.
struct client_ip_config {
    client_ip_config() = default;

    std::optional<std::int32_t> timeout_seconds; ///< 1 to 86400; absent means 10800
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(client_ip_config, (timeout_seconds))

/// The settings of session affinity.
struct session_affinity_config {
    session_affinity_config() = default;

    boxed<client_ip_config> client_ip; ///< for the affinity ClientIP
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(session_affinity_config, {.member = "client_ip", .json_name = "clientIP"})
KFTRAIN_DESCRIBE(session_affinity_config, (client_ip))

/// The desired state of a service.
struct service_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(service_spec);

    std::vector<service_port> ports; ///< may be empty for headless services and ExternalName
    string_map selector;             ///< selects pods; empty: the endpoints are managed externally
    std::string cluster_ip; ///< virtual address; empty: the server assigns one; `None` makes the service headless
    std::vector<std::string> cluster_ips; ///< at most one address of IPv4 and one of IPv6; the first is `cluster_ip`
    std::string type;                     ///< ClusterIP, NodePort, LoadBalancer or ExternalName; empty means ClusterIP
    /// Further addresses that nodes accept; Kubernetes does not route them to nodes.
    std::vector<std::string> external_ips;
    std::string session_affinity; ///< None or ClientIP; empty means None
    std::string load_balancer_ip; ///< requested address of the load balancer; deprecated
    /// CIDRs of clients that may use the load balancer; empty: all.
    std::vector<std::string> load_balancer_source_ranges;
    std::string external_name;                ///< the alias, with type ExternalName
    std::string external_traffic_policy;      ///< Cluster or Local, for traffic from outside; empty means Cluster
    std::int32_t health_check_node_port = 0;  ///< for LoadBalancer with the policy Local; 0: the server assigns one
    bool publish_not_ready_addresses = false; ///< names of pods resolve before they are ready
    boxed<kftrain::core::session_affinity_config> session_affinity_config; ///< timeout of the session affinity
    std::vector<std::string> ip_families; ///< IPv4, IPv6, or both; empty: the server assigns them
    /// SingleStack, PreferDualStack or RequireDualStack; absent means SingleStack.
    std::optional<std::string> ip_family_policy;
    std::optional<bool> allocate_load_balancer_node_ports; ///< whether a LoadBalancer gets node ports; absent: true
    /// Implementation of the load balancer; absent: that of the cluster.
    std::optional<std::string> load_balancer_class;
    /// Cluster or Local, for traffic within the cluster; absent means Cluster.
    std::optional<std::string> internal_traffic_policy;
    /// Preference for endpoints, e.g. PreferClose; absent: the proxy decides.
    std::optional<std::string> traffic_distribution;
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

/// The state of one port of a load balancer.
struct port_status {
    port_status() = default;

    std::int32_t port = 0;            ///< port of the service
    std::string protocol;             ///< TCP, UDP or SCTP
    std::optional<std::string> error; ///< problem with the port, in CamelCase; absent: none
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(port_status, "port", "protocol")
KFTRAIN_DESCRIBE(port_status, (port, protocol, error))

/// An entry point of a load balancer, by IP address or host name.
struct load_balancer_ingress {
    load_balancer_ingress() = default;

    std::string ip;                     ///< set by load balancers that have an address
    std::string hostname;               ///< set by load balancers that have a DNS name
    std::optional<std::string> ip_mode; ///< VIP or Proxy; only with `ip`
    std::vector<port_status> ports;     ///< state of each port of the service
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(load_balancer_ingress, (ip, hostname, ip_mode, ports))

/// The state of a load balancer.
struct load_balancer_status {
    load_balancer_status() = default;

    std::vector<load_balancer_ingress> ingress; ///< entry points that receive the traffic
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(load_balancer_status, (ingress))

/// The observed state of a service.
struct service_status {
    service_status() = default;

    load_balancer_status load_balancer;      ///< for services of type LoadBalancer
    std::vector<meta::condition> conditions; ///< at most one of each type
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(service_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(service_status, (load_balancer, conditions))

/// A stable name and address for a set of pods.
struct service {
    service() = default;

    static constexpr resource_info resource{"", "v1", "Service", "services"};

    object_meta metadata;  ///< name, labels, annotations; the name is the DNS name in the namespace
    service_spec spec;     ///< ports, selector and type
    service_status status; ///< state of the load balancer
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(service, (metadata, spec, status))

/// The address of an endpoint, usually a pod.
struct endpoint_address {
    endpoint_address() = default;

    std::string ip;                       ///< IP address; neither loopback nor link-local
    std::string hostname;                 ///< makes `hostname.service.namespace.svc` resolvable
    std::optional<std::string> node_name; ///< node of the endpoint
    boxed<object_reference> target_ref;   ///< the object behind the address, usually a pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(endpoint_address, "ip")
KFTRAIN_DESCRIBE(endpoint_address, (ip, hostname, node_name, target_ref))

/// A port of the endpoints in a subset.
struct endpoint_port {
    endpoint_port() = default;

    std::string name;                        ///< name of the port of the service; may be empty if there is only one
    std::int32_t port = 0;                   ///< port of the endpoints, 1 to 65535
    std::string protocol;                    ///< TCP, UDP or SCTP; empty means TCP
    std::optional<std::string> app_protocol; ///< as in the port of the service
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(endpoint_port, "port")
KFTRAIN_DESCRIBE(endpoint_port, (name, port, protocol, app_protocol))

/// All combinations of these addresses and ports.
struct endpoint_subset {
    endpoint_subset() = default;

    std::vector<endpoint_address> addresses;           ///< ready endpoints
    std::vector<endpoint_address> not_ready_addresses; ///< endpoints that are starting or fail their readiness probe
    std::vector<endpoint_port> ports;                  ///< ports of each of the addresses
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(endpoint_subset, (addresses, not_ready_addresses, ports))

/// The addresses behind the service of the same name.
struct endpoints {
    endpoints() = default;

    static constexpr resource_info resource{"", "v1", "Endpoints", "endpoints"};

    object_meta metadata;                 ///< the name is that of the service
    std::vector<endpoint_subset> subsets; ///< groups of addresses with the same ports
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(endpoints, (metadata, subsets))

} // namespace kftrain::core

namespace kftrain {
using core::service;
}

#endif
