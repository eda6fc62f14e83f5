#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/affinity.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<node_selector_requirement>;
template struct table<node_selector_term>;
template struct table<node_selector>;
template struct table<preferred_scheduling_term>;
template struct table<node_affinity>;
template struct table<pod_affinity_term>;
template struct table<weighted_pod_affinity_term>;
template struct table<pod_affinity>;
template struct table<pod_anti_affinity>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(affinity);
template struct table<affinity>;
template struct table<toleration>;
template struct table<topology_spread_constraint>;

} // namespace kftrain
