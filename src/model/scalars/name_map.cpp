#include <kftrain/model/name_map.hpp>
#include <kftrain/model/quantity.hpp>
#include <kftrain/model/scalars.hpp>

namespace kftrain {

template class name_map<std::string>;
template class name_map<quantity>;
template class name_map<bytes>;
template class name_map<std::int32_t>;

} // namespace kftrain
