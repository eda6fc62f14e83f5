#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_TABLE(jax_job_spec)
KFTRAIN_RESOURCE_TABLE(jax_job)

} // namespace kftrain::kubeflow_v1
