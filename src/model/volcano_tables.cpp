#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/volcano.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(volcano_pod_group_spec);
template struct table<volcano_pod_group_spec>;
template struct table<volcano_pod_group_condition>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(volcano_pod_group_status);
template struct table<volcano_pod_group_status>;
template struct table<volcano_pod_group>;
template struct table<object_list<volcano_pod_group>>;
template struct table<volcano_node_group_affinity>;
template struct table<volcano_affinity>;
template struct table<volcano_cluster>;
template struct table<volcano_guarantee>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(volcano_queue_spec);
template struct table<volcano_queue_spec>;
template struct table<volcano_reservation>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(volcano_queue_status);
template struct table<volcano_queue_status>;
template struct table<volcano_queue>;
template struct table<object_list<volcano_queue>>;

} // namespace kftrain
