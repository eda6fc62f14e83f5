#ifndef KFTRAIN_SRC_OBJECTS_POD_VALIDATION_SPECIFICATION_HPP
#define KFTRAIN_SRC_OBJECTS_POD_VALIDATION_SPECIFICATION_HPP

#include "model/schema/field_faults.hpp"

#include <kftrain/objects/core/pod_spec.hpp>

#include <string_view>

namespace kftrain::pod_checks {

/// Checks all of a specification of a pod with this name. @par Upstream `ValidatePodSpec`, and the rules for pods that
/// do not apply to templates
void check_specification(core::pod_spec const&, std::string_view pod_name, field_faults&);

} // namespace kftrain::pod_checks

#endif
