#ifndef KFTRAIN_SRC_OBJECTS_POD_VALIDATION_QUALITY_HPP
#define KFTRAIN_SRC_OBJECTS_POD_VALIDATION_QUALITY_HPP

#include <kftrain/objects/core/pod_spec.hpp>

#include <string_view>

namespace kftrain::pod_checks {

/// Guaranteed, Burstable or BestEffort; of a pod that has its defaults.
/// @par Upstream kubernetes `pkg/apis/core/helper/qos/qos.go`, `ComputePodQOS`, v1.31.3
std::string_view quality_of(core::pod_spec const&);

} // namespace kftrain::pod_checks

#endif
