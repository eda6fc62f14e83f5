#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/namespace.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(namespace_spec)
KFTRAIN_TABLE(namespace_condition)
KFTRAIN_TABLE(namespace_status)
KFTRAIN_RESOURCE_TABLE(namespace_)
KFTRAIN_TABLE(scoped_resource_selector_requirement)
KFTRAIN_TABLE(scope_selector)
KFTRAIN_TABLE(resource_quota_spec)
KFTRAIN_TABLE(resource_quota_status)
KFTRAIN_RESOURCE_TABLE(resource_quota)

} // namespace kftrain::core
