#ifndef KFTRAIN_SRC_CONTROLLERS_ENDPOINT_SLICE_ENDPOINTS_HPP
#define KFTRAIN_SRC_CONTROLLERS_ENDPOINT_SLICE_ENDPOINTS_HPP

#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/core/service.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>

#include <optional>
#include <string>
#include <vector>

// Endpoints of a service, each made from a pod.
namespace kftrain::controllers::endpoint_slices {

/// Absent for a pod that has ended or has no IPv4 address.
std::optional<discovery::endpoint> endpoint_of(service const&, pod const&);
/// The ports of the service that the pod has.
std::vector<discovery::endpoint_port> ports_of(service const&, pod const&);
/// Equal for equal ports, in whatever order.
std::string key_of_ports(std::vector<discovery::endpoint_port> const&);

/// An empty slice of the service with these ports.
discovery::endpoint_slice new_slice(service const&, std::vector<discovery::endpoint_port> ports);
/// The labels of its slices: those of the service, and those by which slices are found.
string_map labels_of_slices(service const&);
/// Whether the service has changed the labels that its slices copy.
bool has_other_labels(discovery::endpoint_slice const&, service const&);

} // namespace kftrain::controllers::endpoint_slices

#endif
