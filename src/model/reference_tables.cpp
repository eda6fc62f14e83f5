#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reference.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<local_object_reference>;
template struct table<typed_local_object_reference>;
template struct table<typed_object_reference>;
template struct table<object_reference>;
template struct table<key_to_path>;
template struct table<object_field_selector>;
template struct table<resource_field_selector>;
template struct table<config_map_key_selector>;
template struct table<secret_key_selector>;

} // namespace kftrain
