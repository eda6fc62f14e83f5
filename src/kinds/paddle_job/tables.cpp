#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(paddle_elastic_policy);
KFTRAIN_TABLE(paddle_elastic_policy)
KFTRAIN_TABLE(paddle_job_spec)
KFTRAIN_RESOURCE_TABLE(paddle_job)

} // namespace kftrain::kubeflow_v1
