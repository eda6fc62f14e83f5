#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/affinity.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(node_selector_requirement)
KFTRAIN_TABLE(node_selector_term)
KFTRAIN_TABLE(node_selector)
KFTRAIN_TABLE(preferred_scheduling_term)
KFTRAIN_TABLE(node_affinity)
KFTRAIN_TABLE(pod_affinity_term)
KFTRAIN_TABLE(weighted_pod_affinity_term)
KFTRAIN_TABLE(pod_affinity)
KFTRAIN_TABLE(pod_anti_affinity)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(affinity);
KFTRAIN_TABLE(affinity)
KFTRAIN_TABLE(toleration)
KFTRAIN_TABLE(topology_spread_constraint)

} // namespace kftrain::core
