#ifndef KFTRAIN_OBJECTS_CORE_LIMIT_RANGE_HPP
#define KFTRAIN_OBJECTS_CORE_LIMIT_RANGE_HPP

/** @file Limits and defaults for the pods of a namespace.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>
#include <kftrain/model/quantity.hpp>

namespace kftrain::core {

/// Limits and defaults for objects of one type, by the name of the resource, e.g. `cpu`.
struct limit_range_item {
    limit_range_item() = default;

    std::string type;                      ///< Container, Pod or PersistentVolumeClaim
    resource_list max;                     ///< largest request and limit
    resource_list min;                     ///< smallest request and limit
    resource_list default_;                ///< limits of containers that have none
    resource_list default_request;         ///< requests of containers that have none
    resource_list max_limit_request_ratio; ///< largest limit divided by the request
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(limit_range_item, "type")
KFTRAIN_DESCRIBE(limit_range_item, (type, max, min, default_, default_request, max_limit_request_ratio))

/// The limits of a LimitRange.
struct limit_range_spec {
    limit_range_spec() = default;

    std::vector<limit_range_item> limits; ///< all of them apply
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(limit_range_spec, (limits))

/// Limits and defaults that a server applies to new pods and claims of the namespace.
struct limit_range {
    limit_range() = default;

    static constexpr resource_info resource{"", "v1", "LimitRange", "limitranges"};

    object_meta metadata;  ///< name, labels, annotations
    limit_range_spec spec; ///< the limits
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(limit_range, (metadata, spec))

} // namespace kftrain::core

#endif
