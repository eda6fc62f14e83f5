#ifndef KFTRAIN_OBJECTS_DISCOVERY_ENDPOINT_SLICE_HPP
#define KFTRAIN_OBJECTS_DISCOVERY_ENDPOINT_SLICE_HPP

/** @file The addresses behind a service, `discovery.k8s.io/v1`.
    @par Upstream k8s.io/api `discovery/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::discovery {

/// The state of an endpoint. Absent values mean: ready, serving as `ready`, not terminating.
struct endpoint_conditions {
    endpoint_conditions() = default;

    std::optional<bool> ready;       ///< whether it receives traffic; false for a pod that is being deleted
    std::optional<bool> serving;     ///< whether the pod is ready, also while it is being deleted
    std::optional<bool> terminating; ///< whether the pod is being deleted
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(endpoint_conditions, (ready, serving, terminating))

/// A zone.
struct for_zone {
    for_zone() = default;

    std::string name; ///< name of the zone
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(for_zone, "name")
KFTRAIN_DESCRIBE(for_zone, (name))

/// Hints about the clients that an endpoint should serve.
struct endpoint_hints {
    endpoint_hints() = default;

    std::vector<for_zone> for_zones; ///< zones whose clients should use it
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(endpoint_hints, (for_zones))

/// A backend of the service, usually a pod.
struct endpoint {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(endpoint);

    std::vector<std::string> addresses;       ///< 1 to 100 addresses of the type of the slice; clients use the first
    endpoint_conditions conditions;           ///< its state
    std::optional<std::string> hostname;      ///< makes `hostname.service.namespace.svc` resolvable
    boxed<core::object_reference> target_ref; ///< the object behind the addresses, usually a pod
    string_map deprecated_topology;           ///< topology of the beta API; read only
    std::optional<std::string> node_name;     ///< node of the endpoint
    std::optional<std::string> zone;          ///< zone of the endpoint
    boxed<endpoint_hints> hints;              ///< hints for proxies
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(endpoint, {.member = "addresses", .list_keys = "*"})
KFTRAIN_REQUIRED(endpoint, "addresses")
KFTRAIN_DESCRIBE(endpoint, (addresses, conditions, hostname, target_ref, deprecated_topology, node_name, zone, hints))

/// A port of all endpoints of a slice.
struct endpoint_port {
    endpoint_port() = default;

    std::optional<std::string> name;         ///< name of the port of the service; unique in the slice
    std::optional<std::string> protocol;     ///< TCP, UDP or SCTP; absent means TCP
    std::optional<std::int32_t> port;        ///< absent: all ports
    std::optional<std::string> app_protocol; ///< as in the port of the service
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(endpoint_port, (name, protocol, port, app_protocol))

/// A part of the endpoints of a service, all with the same ports.
struct endpoint_slice {
    endpoint_slice() = default;

    static constexpr resource_info resource{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"};

    object_meta metadata;             ///< the label `kubernetes.io/service-name` names the service
    std::string address_type;         ///< IPv4, IPv6 or FQDN; never changes
    std::vector<endpoint> endpoints;  ///< at most 1000
    std::vector<endpoint_port> ports; ///< ports of each of the endpoints; at most 100
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(endpoint_slice, "address_type", "endpoints")
KFTRAIN_DESCRIBE_RESOURCE(endpoint_slice, (metadata, address_type, endpoints, ports))

} // namespace kftrain::discovery

#endif
