#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_spec);
template struct table<replica_spec>;
template struct table<scheduling_policy>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(run_policy);
template struct table<run_policy>;
template struct table<job_condition>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(replica_status);
template struct table<replica_status>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_status);
template struct table<job_status>;

} // namespace kftrain
