#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/security.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(capabilities)
KFTRAIN_TABLE(se_linux_options)
KFTRAIN_TABLE(windows_security_context_options)
KFTRAIN_TABLE(seccomp_profile)
KFTRAIN_TABLE(app_armor_profile)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(security_context);
KFTRAIN_TABLE(security_context)
KFTRAIN_TABLE(sysctl)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_security_context);
KFTRAIN_TABLE(pod_security_context)

} // namespace kftrain::core
