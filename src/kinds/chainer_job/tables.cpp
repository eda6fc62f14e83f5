#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kubeflow_v1alpha1 {

KFTRAIN_TABLE(mpi_config)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(chainer_master);
KFTRAIN_TABLE(chainer_master)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(chainer_worker_set);
KFTRAIN_TABLE(chainer_worker_set)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(chainer_job_spec);
KFTRAIN_TABLE(chainer_job_spec)
KFTRAIN_RESOURCE_TABLE(chainer_job)

} // namespace kftrain::kubeflow_v1alpha1
