#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "facade/shown/shown.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_TABLE(shown_job)
KFTRAIN_TABLE(shown_member)
KFTRAIN_TABLE(shown_rank)
KFTRAIN_TABLE(shown_role)
KFTRAIN_TABLE(shown_state)
KFTRAIN_TABLE(shown_change)
KFTRAIN_TABLE(shown_line)
KFTRAIN_TABLE(shown_page)
KFTRAIN_TABLE(shown_event)
KFTRAIN_TABLE(shown_events)
KFTRAIN_TABLE(shown_cause)
KFTRAIN_TABLE(shown_explanation)
KFTRAIN_TABLE(shown_field)
KFTRAIN_TABLE(shown_object)
KFTRAIN_TABLE(shown_issue)
KFTRAIN_TABLE(shown_plan)
KFTRAIN_TABLE(shown_check)
KFTRAIN_TABLE(shown_preflight)

} // namespace kftrain
