#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1alpha1 {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(pytorch_replica_spec);
KFTRAIN_TABLE(pytorch_replica_spec)
KFTRAIN_TABLE(pytorch_termination_master)
KFTRAIN_TABLE(pytorch_termination_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pytorch_job_spec);
KFTRAIN_TABLE(pytorch_job_spec)
KFTRAIN_TABLE(pytorch_replica_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pytorch_job_status);
KFTRAIN_TABLE(pytorch_job_status)
KFTRAIN_RESOURCE_TABLE(pytorch_job)
KFTRAIN_TABLE(pytorch_accelerator_volume)
KFTRAIN_TABLE(pytorch_accelerator)
KFTRAIN_TABLE(pytorch_operator_options)

} // namespace kftrain::kubeflow_v1alpha1
