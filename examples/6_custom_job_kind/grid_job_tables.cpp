#define KFTRAIN_DESCRIBE_MEMBERS // before the first include

#include "grid_job.hpp"

#include <kftrain/model/reflect.hpp>

namespace acme {

KFTRAIN_TABLE(grid_job_spec)
KFTRAIN_TABLE(grid_job_status)
KFTRAIN_RESOURCE_TABLE(grid_job)

} // namespace acme
