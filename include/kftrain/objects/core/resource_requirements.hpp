#ifndef KFTRAIN_OBJECTS_CORE_RESOURCE_REQUIREMENTS_HPP
#define KFTRAIN_OBJECTS_CORE_RESOURCE_REQUIREMENTS_HPP

/** @file Resource requests of containers and volumes.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// A claim of the pod that the container uses.
struct resource_claim {
    resource_claim() = default;

    std::string name;    ///< name of an entry in `resource_claims` of the pod
    std::string request; ///< a request of the claim; empty: the whole claim
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_claim, "name")
KFTRAIN_DESCRIBE(resource_claim, (name, request))

/// The resources of one container, by resource name, e.g. `cpu`, `memory`, `nvidia.com/gpu`.
struct resource_requirements {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(resource_requirements);

    resource_list limits;   ///< maximum amounts; absent resources are not limited
    resource_list requests; ///< amounts that the scheduler reserves; at most the limits, which are the default
    std::vector<resource_claim> claims; ///< claims of devices that the container uses
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(resource_requirements, {.member = "claims", .list_keys = "name"})
KFTRAIN_DESCRIBE(resource_requirements, (limits, requests, claims))

/// The size of a volume.
struct volume_resource_requirements {
    volume_resource_requirements() = default;

    resource_list limits;   ///< of `storage`
    resource_list requests; ///< of `storage`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_resource_requirements, (limits, requests))

} // namespace kftrain::core

#endif
