#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/jobset/job_set.hpp>

namespace kftrain::jobset {

KFTRAIN_TABLE(network)
KFTRAIN_TABLE(depends_on)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(replicated_job);
KFTRAIN_TABLE(replicated_job)
KFTRAIN_TABLE(success_policy)
KFTRAIN_TABLE(failure_policy_rule)
KFTRAIN_TABLE(failure_policy)
KFTRAIN_TABLE(startup_policy)
KFTRAIN_TABLE(coordinator)
KFTRAIN_TABLE(volume_retention_policy)
KFTRAIN_TABLE(volume_claim_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_set_spec);
KFTRAIN_TABLE(job_set_spec)
KFTRAIN_TABLE(replicated_job_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_set_status);
KFTRAIN_TABLE(job_set_status)
KFTRAIN_RESOURCE_TABLE(job_set)

} // namespace kftrain::jobset
