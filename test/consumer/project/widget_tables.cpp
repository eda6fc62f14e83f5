#define KFTRAIN_DESCRIBE_MEMBERS // before the first header

#include "widget.hpp"

#include <kftrain/model/reflect.hpp>

namespace acme {

KFTRAIN_TABLE(part)
KFTRAIN_TABLE(widget_spec)
KFTRAIN_TABLE(widget_status)
KFTRAIN_RESOURCE_TABLE(widget)

} // namespace acme
