#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/resource_requirements.hpp>

namespace kftrain {

template struct table<resource_claim>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(resource_requirements);
template struct table<resource_requirements>;
template struct table<volume_resource_requirements>;

} // namespace kftrain
