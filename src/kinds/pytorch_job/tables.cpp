#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(rdzv_conf);
template struct table<rdzv_conf>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(elastic_policy);
template struct table<elastic_policy>;
template struct table<pytorch_job_spec>;
template struct table<pytorch_job>;
template struct table<object_list<pytorch_job>>;

} // namespace kftrain
