#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_TABLE(xgboost_job_spec)
KFTRAIN_RESOURCE_TABLE(xgboost_job)

} // namespace kftrain::kubeflow_v1
