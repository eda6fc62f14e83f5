#include <kftrain/model/job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<replica_spec>;
template struct table<scheduling_policy>;
template struct table<run_policy>;
template struct table<job_condition>;
template struct table<replica_status>;
template struct table<job_status>;

} // namespace kftrain
