#include <kftrain/model/meta.hpp>

namespace kftrain {

template class name_map<std::string>;
template class name_map<quantity>;
template class name_map<bytes>;
template class name_map<std::int32_t>;

} // namespace kftrain
