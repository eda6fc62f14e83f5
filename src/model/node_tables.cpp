#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/node.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<taint>;
template struct table<config_map_node_config_source>;
template struct table<node_config_source>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(node_spec);
template struct table<node_spec>;
template struct table<node_condition>;
template struct table<node_address>;
template struct table<daemon_endpoint>;
template struct table<node_daemon_endpoints>;
template struct table<node_system_info>;
template struct table<container_image>;
template struct table<attached_volume>;
template struct table<node_config_status>;
template struct table<node_runtime_handler_features>;
template struct table<node_runtime_handler>;
template struct table<node_features>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(node_status);
template struct table<node_status>;
template struct table<node>;
template struct table<object_list<node>>;

} // namespace kftrain
