#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/service.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(service_port)
KFTRAIN_TABLE(client_ip_config)
KFTRAIN_TABLE(session_affinity_config)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(service_spec);
KFTRAIN_TABLE(service_spec)
KFTRAIN_TABLE(port_status)
KFTRAIN_TABLE(load_balancer_ingress)
KFTRAIN_TABLE(load_balancer_status)
KFTRAIN_TABLE(service_status)
KFTRAIN_RESOURCE_TABLE(service)
KFTRAIN_TABLE(endpoint_address)
KFTRAIN_TABLE(endpoint_port)
KFTRAIN_TABLE(endpoint_subset)
KFTRAIN_RESOURCE_TABLE(endpoints)

} // namespace kftrain::core
