#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/env.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<env_var_source>;
template struct table<env_var>;
template struct table<config_map_env_source>;
template struct table<secret_env_source>;
template struct table<env_from_source>;

} // namespace kftrain
