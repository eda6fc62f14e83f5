// [tables]
#define KFTRAIN_DESCRIBE_MEMBERS // before the first include

#include "sweep.hpp"

#include <kftrain/model/reflect.hpp>

namespace acme {

KFTRAIN_TABLE(sweep_spec)
KFTRAIN_TABLE(sweep_status)
KFTRAIN_RESOURCE_TABLE(sweep)

} // namespace acme
// [tables end]
