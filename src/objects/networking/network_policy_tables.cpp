#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/networking/network_policy.hpp>

namespace kftrain::networking {

KFTRAIN_TABLE(ip_block)
KFTRAIN_TABLE(network_policy_port)
KFTRAIN_TABLE(network_policy_peer)
KFTRAIN_TABLE(network_policy_ingress_rule)
KFTRAIN_TABLE(network_policy_egress_rule)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(network_policy_spec);
KFTRAIN_TABLE(network_policy_spec)
KFTRAIN_RESOURCE_TABLE(network_policy)

} // namespace kftrain::networking
