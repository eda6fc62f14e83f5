#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/container.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<container_port>;
template struct table<volume_mount>;
template struct table<volume_device>;
template struct table<container_resize_policy>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(container);
template struct table<container>;
template struct table<std::vector<container>>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(ephemeral_container);
template struct table<ephemeral_container>;

} // namespace kftrain
