#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_TABLE(tf_job_spec)
KFTRAIN_RESOURCE_TABLE(tf_job)

} // namespace kftrain::kubeflow_v1
