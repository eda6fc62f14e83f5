#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/probe.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<exec_action>;
template struct table<http_header>;
template struct table<http_get_action>;
template struct table<tcp_socket_action>;
template struct table<grpc_action>;
template struct table<sleep_action>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(probe);
template struct table<probe>;
template struct table<lifecycle_handler>;
template struct table<lifecycle>;

} // namespace kftrain
