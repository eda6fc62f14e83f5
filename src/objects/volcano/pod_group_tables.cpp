#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

namespace kftrain::volcano {

KFTRAIN_TABLE(network_topology_spec)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_group_spec);
KFTRAIN_TABLE(pod_group_spec)
KFTRAIN_TABLE(pod_group_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_group_status);
KFTRAIN_TABLE(pod_group_status)
KFTRAIN_RESOURCE_TABLE(pod_group)
KFTRAIN_TABLE(node_group_affinity)
KFTRAIN_TABLE(affinity)
KFTRAIN_TABLE(cluster)
KFTRAIN_TABLE(guarantee)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(queue_spec);
KFTRAIN_TABLE(queue_spec)
KFTRAIN_TABLE(reservation)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(queue_status);
KFTRAIN_TABLE(queue_status)
KFTRAIN_RESOURCE_TABLE(queue)

} // namespace kftrain::volcano
