#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::volcano {

KFTRAIN_TABLE(volume_spec)
KFTRAIN_TABLE(lifecycle_policy)
KFTRAIN_TABLE(depends_on)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(task_spec);
KFTRAIN_TABLE(task_spec)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_spec);
KFTRAIN_TABLE(job_spec)
KFTRAIN_TABLE(job_state)
KFTRAIN_TABLE(task_state)
KFTRAIN_TABLE(job_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_status);
KFTRAIN_TABLE(job_status)
KFTRAIN_RESOURCE_TABLE(job)

} // namespace kftrain::volcano
