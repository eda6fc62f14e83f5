#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/container_status.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<container_state_waiting>;
template struct table<container_state_running>;
template struct table<container_state_terminated>;
template struct table<container_state>;
template struct table<volume_mount_status>;
template struct table<linux_container_user>;
template struct table<container_user>;
template struct table<resource_health>;
template struct table<resource_status>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(container_status);
template struct table<container_status>;

} // namespace kftrain
