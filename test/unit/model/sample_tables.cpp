#include "unit/model/sample.hpp"
#include "unit/model/sample_item.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<sample_values>;
template struct table<sample_narrow>;
template struct table<sample_retaining>;
template struct table<sample_item>;
template struct table<sample_spec>;
template struct table<sample_job>;
template struct table<object_list<sample_job>>;
template struct table<raw_json>;
template struct table<std::vector<raw_json>>;

} // namespace kftrain
