#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(rdzv_conf);
KFTRAIN_TABLE(rdzv_conf)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(elastic_policy);
KFTRAIN_TABLE(elastic_policy)
KFTRAIN_TABLE(pytorch_job_spec)
KFTRAIN_RESOURCE_TABLE(pytorch_job)

} // namespace kftrain::kubeflow_v1
