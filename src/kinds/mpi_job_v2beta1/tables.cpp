#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v2beta1 {

KFTRAIN_TABLE(scheduling_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(run_policy);
KFTRAIN_TABLE(run_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_spec);
KFTRAIN_TABLE(replica_spec)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(mpi_job_spec);
KFTRAIN_TABLE(mpi_job_spec)
KFTRAIN_TABLE(job_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_status);
KFTRAIN_TABLE(replica_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_status);
KFTRAIN_TABLE(job_status)
KFTRAIN_RESOURCE_TABLE(mpi_job)

} // namespace kftrain::kubeflow_v2beta1
