#ifndef KFTRAIN_OBJECTS_SCHEDULING_PRIORITY_CLASS_HPP
#define KFTRAIN_OBJECTS_SCHEDULING_PRIORITY_CLASS_HPP

/** @file
    Priority classes of `scheduling.k8s.io/v1`.
    @par Upstream k8s.io/api `scheduling/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>

namespace kftrain::scheduling {

/// A named priority for pods.
struct priority_class {
    priority_class() = default;

    static constexpr resource_info resource{"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses",
                                            resource_scope::cluster};

    object_meta metadata; ///< pods refer to it by its name, as `priorityClassName`
    /// Pods of higher values are scheduled first; at most 1000000000 unless built in; cannot be changed.
    std::int32_t value = 0;
    bool global_default = false; ///< the default for pods without a class; at most one class should set it
    std::string description;     ///< when to use the class, as text
    std::optional<std::string> preemption_policy; ///< PreemptLowerPriority (also if absent) or Never
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(priority_class, "value")
KFTRAIN_DESCRIBE_RESOURCE(priority_class, (metadata, value, global_default, description, preemption_policy))

} // namespace kftrain::scheduling

#endif
