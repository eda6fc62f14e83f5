#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/node.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(taint)
KFTRAIN_TABLE(config_map_node_config_source)
KFTRAIN_TABLE(node_config_source)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(node_spec);
KFTRAIN_TABLE(node_spec)
KFTRAIN_TABLE(node_condition)
KFTRAIN_TABLE(node_address)
KFTRAIN_TABLE(daemon_endpoint)
KFTRAIN_TABLE(node_daemon_endpoints)
KFTRAIN_TABLE(node_system_info)
KFTRAIN_TABLE(container_image)
KFTRAIN_TABLE(attached_volume)
KFTRAIN_TABLE(node_config_status)
KFTRAIN_TABLE(node_runtime_handler_features)
KFTRAIN_TABLE(node_runtime_handler)
KFTRAIN_TABLE(node_features)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(node_status);
KFTRAIN_TABLE(node_status)
KFTRAIN_RESOURCE_TABLE(node)

} // namespace kftrain::core
