#ifndef KFTRAIN_OBJECTS_NETWORKING_NETWORK_POLICY_HPP
#define KFTRAIN_OBJECTS_NETWORKING_NETWORK_POLICY_HPP

/** @file Network policies, `networking.k8s.io/v1`.
    @par Upstream k8s.io/api `networking/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::networking {

/// A range of addresses with exceptions.
struct ip_block {
    ip_block() = default;

    std::string cidr;                ///< e.g. `192.168.1.0/24`
    std::vector<std::string> except; ///< excluded ranges within it
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(ip_block, "cidr")
KFTRAIN_DESCRIBE(ip_block, (cidr, except))

/// Ports of one protocol; absent parts mean all.
struct network_policy_port {
    network_policy_port() = default;

    std::optional<std::string> protocol;  ///< TCP (also if absent), UDP or SCTP
    std::optional<int_or_string> port;    ///< a number, or the name of a port of the pods
    std::optional<std::int32_t> end_port; ///< last port of a range that begins with `port`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_policy_port, (protocol, port, end_port))

/// Pods by their labels and those of their namespace, or addresses.
struct network_policy_peer {
    network_policy_peer() = default;

    boxed<label_selector> pod_selector;       ///< absent: all pods of the namespaces
    boxed<label_selector> namespace_selector; ///< absent: the namespace of the policy
    boxed<networking::ip_block> ip_block;     ///< excludes the two selectors
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_policy_peer, (pod_selector, namespace_selector, ip_block))

/// Allows incoming traffic from any of the peers to any of the ports; an empty list means all.
struct network_policy_ingress_rule {
    network_policy_ingress_rule() = default;

    std::vector<network_policy_port> ports; ///< ports of the selected pods; empty: all ports
    std::vector<network_policy_peer> from;  ///< sources of the traffic; empty: all sources
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_policy_ingress_rule, (ports, from))

/// Allows outgoing traffic to any of the peers on any of the ports; an empty list means all.
struct network_policy_egress_rule {
    network_policy_egress_rule() = default;

    std::vector<network_policy_port> ports; ///< ports of the destinations; empty: all ports
    std::vector<network_policy_peer> to;    ///< destinations of the traffic; empty: all destinations
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_policy_egress_rule, (ports, to))

/// The allowed traffic of the selected pods; for each direction of the policy, all other traffic is blocked.
struct network_policy_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(network_policy_spec);

    label_selector pod_selector; ///< empty: all pods of the namespace
    /// Allowed incoming traffic; empty: none, if the policy covers Ingress.
    std::vector<network_policy_ingress_rule> ingress;
    /// Allowed outgoing traffic; empty: none, if the policy covers Egress.
    std::vector<network_policy_egress_rule> egress;
    std::vector<std::string> policy_types; ///< Ingress, Egress; empty: Ingress, and Egress if there are such rules
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(network_policy_spec, "pod_selector")
KFTRAIN_DESCRIBE(network_policy_spec, (pod_selector, ingress, egress, policy_types))

/// A firewall for pods, if the network of the cluster enforces policies.
struct network_policy {
    network_policy() = default;

    static constexpr resource_info resource{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"};

    object_meta metadata;     ///< the policy applies to pods of its namespace
    network_policy_spec spec; ///< the selected pods and their allowed traffic
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(network_policy, (metadata, spec))

} // namespace kftrain::networking

#endif
