#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/batch/job.hpp>

namespace kftrain::batch {

KFTRAIN_TABLE(pod_failure_policy_on_exit_codes_requirement)
KFTRAIN_TABLE(pod_failure_policy_on_pod_conditions_pattern)
KFTRAIN_TABLE(pod_failure_policy_rule)
KFTRAIN_TABLE(pod_failure_policy)
KFTRAIN_TABLE(success_policy_rule)
KFTRAIN_TABLE(success_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_spec);
KFTRAIN_TABLE(job_spec)
KFTRAIN_TABLE(job_template_spec)
KFTRAIN_TABLE(job_condition)
KFTRAIN_TABLE(uncounted_terminated_pods)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_status);
KFTRAIN_TABLE(job_status)
KFTRAIN_RESOURCE_TABLE(job)

} // namespace kftrain::batch
