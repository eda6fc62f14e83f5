#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1 {

KFTRAIN_TABLE(mpi_job_spec)
KFTRAIN_RESOURCE_TABLE(mpi_job)

} // namespace kftrain::kubeflow_v1
