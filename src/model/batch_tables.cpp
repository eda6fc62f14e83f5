#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/batch.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<pod_failure_policy_on_exit_codes_requirement>;
template struct table<pod_failure_policy_on_pod_conditions_pattern>;
template struct table<pod_failure_policy_rule>;
template struct table<pod_failure_policy>;
template struct table<success_policy_rule>;
template struct table<success_policy>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(batch_job_spec);
template struct table<batch_job_spec>;
template struct table<batch_job_condition>;
template struct table<uncounted_terminated_pods>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(batch_job_status);
template struct table<batch_job_status>;
template struct table<batch_job>;
template struct table<object_list<batch_job>>;

} // namespace kftrain
