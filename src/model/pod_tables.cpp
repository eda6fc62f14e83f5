#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/pod.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<pod_condition>;
template struct table<host_ip>;
template struct table<pod_ip>;
template struct table<pod_resource_claim_status>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_status);
template struct table<pod_status>;
template struct table<pod>;
template struct table<object_list<pod>>;
template struct table<pod_template>;
template struct table<object_list<pod_template>>;
template struct table<binding>;
template struct table<object_list<binding>>;

} // namespace kftrain
