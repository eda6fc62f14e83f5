#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/old_pytorch_job.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

KFTRAIN_TABLE(old_pytorch_spec)
KFTRAIN_TABLE(old_pytorch_job)
KFTRAIN_TABLE(spec_fields)
KFTRAIN_TABLE(job_fields)

} // namespace kftrain::convert
