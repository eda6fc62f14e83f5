#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<jax_job_spec>;
template struct table<jax_job>;
template struct table<object_list<jax_job>>;

} // namespace kftrain
