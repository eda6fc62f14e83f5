#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kube/metadata.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kube {

KFTRAIN_RESOURCE_TABLE(object_metadata)

} // namespace kftrain::kube
