#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_spec);
KFTRAIN_TABLE(replica_spec)
KFTRAIN_TABLE(scheduling_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(run_policy);
KFTRAIN_TABLE(run_policy)
KFTRAIN_TABLE(job_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_status);
KFTRAIN_TABLE(replica_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_status);
KFTRAIN_TABLE(job_status)

} // namespace kftrain::kubeflow_v1
