#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/env.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(env_var_source)
KFTRAIN_TABLE(env_var)
KFTRAIN_TABLE(config_map_env_source)
KFTRAIN_TABLE(secret_env_source)
KFTRAIN_TABLE(env_from_source)

} // namespace kftrain::core
