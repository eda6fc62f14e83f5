#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(local_object_reference)
KFTRAIN_TABLE(typed_local_object_reference)
KFTRAIN_TABLE(typed_object_reference)
KFTRAIN_TABLE(object_reference)
KFTRAIN_TABLE(key_to_path)
KFTRAIN_TABLE(object_field_selector)
KFTRAIN_TABLE(resource_field_selector)
KFTRAIN_TABLE(config_map_key_selector)
KFTRAIN_TABLE(secret_key_selector)
KFTRAIN_TABLE(file_key_selector)

} // namespace kftrain::core
