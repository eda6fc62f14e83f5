#include <kftrain/model/core.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<env_var>;
template struct table<container_port>;
template struct table<resource_requirements>;
template struct table<container>;
template struct table<pod_spec>;
template struct table<pod_template_spec>;
template struct table<container_state_waiting>;
template struct table<container_state_running>;
template struct table<container_state_terminated>;
template struct table<container_state>;
template struct table<container_status>;
template struct table<pod_condition>;
template struct table<pod_ip>;
template struct table<pod_status>;
template struct table<pod>;
template struct table<object_list<pod>>;
template struct table<service_port>;
template struct table<service_spec>;
template struct table<service>;
template struct table<object_list<service>>;
template struct table<object_reference>;
template struct table<event_source>;
template struct table<event>;
template struct table<object_list<event>>;

} // namespace kftrain
