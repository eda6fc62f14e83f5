#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/probe.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(exec_action)
KFTRAIN_TABLE(http_header)
KFTRAIN_TABLE(http_get_action)
KFTRAIN_TABLE(tcp_socket_action)
KFTRAIN_TABLE(grpc_action)
KFTRAIN_TABLE(sleep_action)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(probe);
KFTRAIN_TABLE(probe)
KFTRAIN_TABLE(lifecycle_handler)
KFTRAIN_TABLE(lifecycle)

} // namespace kftrain::core
