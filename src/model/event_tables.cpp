#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/event.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<event_source>;
template struct table<event_series>;
template struct table<event>;
template struct table<object_list<event>>;
template struct table<events_event>;
template struct table<object_list<events_event>>;

} // namespace kftrain
