#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::meta {

KFTRAIN_TABLE(owner_reference)
KFTRAIN_TABLE(managed_fields_entry)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(object_meta);
KFTRAIN_TABLE(object_meta)
KFTRAIN_TABLE(list_meta)
KFTRAIN_TABLE(label_selector_requirement)
KFTRAIN_TABLE(label_selector)
KFTRAIN_TABLE(condition)
KFTRAIN_TABLE(status_cause)
KFTRAIN_TABLE(status_details)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(api_status);
KFTRAIN_TABLE(api_status)

} // namespace kftrain::meta
