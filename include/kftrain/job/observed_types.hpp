#ifndef KFTRAIN_JOB_OBSERVED_TYPES_HPP
#define KFTRAIN_JOB_OBSERVED_TYPES_HPP

#include <kftrain/model/object_type.hpp>

namespace kftrain {

/** Pods and services with only the fields that controllers and kubelets read: names, labels, owners and deletion;
    for pods also finalizers, the annotations by which controllers count and find them, node, host name, subdomain,
    deadline, phase, address, conditions, and the state of containers. A pod that can be an endpoint, which has an
    address and has not ended, also has the ports and restart policy of each container with a named port. Services have
    the selector, ports, type, address and publishNotReadyAddresses. Decoding skips all other fields, so an object takes
    a third of the memory. Such an object must not be written back. Controllers of one process that watch pods by this
    type share one informer.
    @par Thread safety Constant. */
object_type const& observed_pod_type() noexcept;
object_type const& observed_service_type() noexcept;
/// Secrets with their metadata, type and key names: decoding discards the values.
object_type const& observed_secret_type() noexcept;

} // namespace kftrain

#endif
