#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/rbac/role.hpp>

namespace kftrain::rbac {

KFTRAIN_TABLE(policy_rule)
KFTRAIN_RESOURCE_TABLE(role)
KFTRAIN_TABLE(aggregation_rule)
KFTRAIN_RESOURCE_TABLE(cluster_role)
KFTRAIN_TABLE(subject)
KFTRAIN_TABLE(role_ref)
KFTRAIN_RESOURCE_TABLE(role_binding)
KFTRAIN_RESOURCE_TABLE(cluster_role_binding)

} // namespace kftrain::rbac
