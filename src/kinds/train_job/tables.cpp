#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::trainer {

KFTRAIN_TABLE(runtime_ref)
KFTRAIN_TABLE(storage_source)
KFTRAIN_TABLE(initializer)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_trainer);
KFTRAIN_TABLE(job_trainer)
KFTRAIN_TABLE(container_patch)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_spec_patch);
KFTRAIN_TABLE(pod_spec_patch)
KFTRAIN_TABLE(pod_template_patch)
KFTRAIN_TABLE(job_spec_patch)
KFTRAIN_TABLE(job_template_patch)
KFTRAIN_TABLE(replicated_job_patch)
KFTRAIN_TABLE(job_set_spec_patch)
KFTRAIN_TABLE(job_set_template_patch)
KFTRAIN_TABLE(training_runtime_spec_patch)
KFTRAIN_TABLE(runtime_patch)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(train_job_spec);
KFTRAIN_TABLE(train_job_spec)
KFTRAIN_TABLE(job_status)
KFTRAIN_TABLE(metric)
KFTRAIN_TABLE(trainer_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(train_job_status);
KFTRAIN_TABLE(train_job_status)
KFTRAIN_RESOURCE_TABLE(train_job)

} // namespace kftrain::trainer
