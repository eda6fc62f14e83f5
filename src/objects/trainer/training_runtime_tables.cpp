#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>

namespace kftrain::trainer {

KFTRAIN_TABLE(env_injection_target)
KFTRAIN_TABLE(env_injection)
KFTRAIN_TABLE(torch_policy)
KFTRAIN_TABLE(mpi_policy)
KFTRAIN_TABLE(jax_policy)
KFTRAIN_TABLE(xgboost_policy)
KFTRAIN_TABLE(flux_policy)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(ml_policy);
KFTRAIN_TABLE(ml_policy)
KFTRAIN_TABLE(coscheduling_policy)
KFTRAIN_TABLE(network_topology)
KFTRAIN_TABLE(volcano_policy)
KFTRAIN_TABLE(pod_group_policy)
KFTRAIN_TABLE(job_set_template_spec)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(training_runtime_spec);
KFTRAIN_TABLE(training_runtime_spec)
KFTRAIN_RESOURCE_TABLE(training_runtime)
KFTRAIN_RESOURCE_TABLE(cluster_training_runtime)

} // namespace kftrain::trainer
