#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/container.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(container_port)
KFTRAIN_TABLE(volume_mount)
KFTRAIN_TABLE(volume_device)
KFTRAIN_TABLE(container_resize_policy)
KFTRAIN_TABLE(container_restart_rule_on_exit_codes)
KFTRAIN_TABLE(container_restart_rule)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(container);
KFTRAIN_TABLE(container)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(ephemeral_container);
KFTRAIN_TABLE(ephemeral_container)

} // namespace kftrain::core

template struct kftrain::model::table<std::vector<kftrain::core::container>>;
