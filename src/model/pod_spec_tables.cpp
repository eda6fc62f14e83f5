#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/pod_spec.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<host_alias>;
template struct table<pod_dns_config_option>;
template struct table<pod_dns_config>;
template struct table<pod_readiness_gate>;
template struct table<pod_os>;
template struct table<pod_scheduling_gate>;
template struct table<pod_resource_claim>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_spec);
template struct table<pod_spec>;
template struct table<pod_template_spec>;

} // namespace kftrain
