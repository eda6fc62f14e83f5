#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/selector.hpp>

namespace kftrain {

template struct table<label_selector_requirement>;
template struct table<label_selector>;

} // namespace kftrain
