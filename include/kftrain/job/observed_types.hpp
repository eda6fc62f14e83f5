#ifndef KFTRAIN_JOB_OBSERVED_TYPES_HPP
#define KFTRAIN_JOB_OBSERVED_TYPES_HPP

#include <kftrain/model/object_type.hpp>

namespace kftrain {

/** Pods and services with no more than those look at who plan for them or run them: who they are, their labels, owners and
    deletion; of pods also the node, host name, subdomain, phase, address, conditions and the state of containers; of services
    the selector. All else is left out while decoding, so that one takes a third of the memory; such an object must not be
    written back.
    @par Thread safety Constant. */
object_type const& observed_pod_type() noexcept;
object_type const& observed_service_type() noexcept;
/// Secrets with their metadata, type and the names of their keys: the values are thrown away when they are decoded.
object_type const& observed_secret_type() noexcept;

} // namespace kftrain

#endif
