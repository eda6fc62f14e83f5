#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/config_map.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<config_map>;
template struct table<object_list<config_map>>;
template struct table<secret>;
template struct table<object_list<secret>>;
template struct table<service_account>;
template struct table<object_list<service_account>>;

} // namespace kftrain
