#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_TABLE(mx_job_spec)
KFTRAIN_RESOURCE_TABLE(mx_job)

} // namespace kftrain::kubeflow_v1
