#ifndef KFTRAIN_SRC_APISERVER_CHECKS_SCALING_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_SCALING_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"
#include "model/schema/field_faults.hpp"

namespace kftrain::apiserver {

/** Checks the bounds, the target, the metrics and the speed of a HorizontalPodAutoscaler. Names of resources may be any
    text.
    @par Upstream kubernetes `pkg/apis/autoscaling/validation/validation.go`, v1.31 */
void check_autoscaler(json::object const& autoscaler, field_faults& found);

/** Checks the type of the addresses of an EndpointSlice, which stays that of `old`. `old` may be null.
    @par Upstream kubernetes `pkg/apis/discovery/validation/validation.go`, v1.31 */
void check_endpoint_slice(json::object const* old, json::object const& slice, field_faults& found);

} // namespace kftrain::apiserver

#endif
