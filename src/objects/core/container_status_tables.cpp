#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/container_status.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(container_state_waiting)
KFTRAIN_TABLE(container_state_running)
KFTRAIN_TABLE(container_state_terminated)
KFTRAIN_TABLE(container_state)
KFTRAIN_TABLE(volume_mount_status)
KFTRAIN_TABLE(linux_container_user)
KFTRAIN_TABLE(container_user)
KFTRAIN_TABLE(resource_health)
KFTRAIN_TABLE(resource_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(container_status);
KFTRAIN_TABLE(container_status)

} // namespace kftrain::core
