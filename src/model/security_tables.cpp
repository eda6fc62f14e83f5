#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/security.hpp>

namespace kftrain {

template struct table<capabilities>;
template struct table<se_linux_options>;
template struct table<windows_security_context_options>;
template struct table<seccomp_profile>;
template struct table<app_armor_profile>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(security_context);
template struct table<security_context>;
template struct table<sysctl>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_security_context);
template struct table<pod_security_context>;

} // namespace kftrain
