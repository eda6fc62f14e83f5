#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/service.hpp>

namespace kftrain {

template struct table<service_port>;
template struct table<client_ip_config>;
template struct table<session_affinity_config>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(service_spec);
template struct table<service_spec>;
template struct table<port_status>;
template struct table<load_balancer_ingress>;
template struct table<load_balancer_status>;
template struct table<service_status>;
template struct table<service>;
template struct table<object_list<service>>;
template struct table<endpoint_address>;
template struct table<endpoint_port>;
template struct table<endpoint_subset>;
template struct table<endpoints>;
template struct table<object_list<endpoints>>;

} // namespace kftrain
