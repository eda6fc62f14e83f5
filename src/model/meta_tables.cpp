#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<owner_reference>;
template struct table<managed_fields_entry>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(object_meta);
template struct table<object_meta>;
template struct table<list_meta>;
template struct table<condition>;
template struct table<status_cause>;
template struct table<status_details>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(api_status);
template struct table<api_status>;

} // namespace kftrain
