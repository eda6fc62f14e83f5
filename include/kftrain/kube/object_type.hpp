#ifndef KFTRAIN_KUBE_OBJECT_TYPE_HPP
#define KFTRAIN_KUBE_OBJECT_TYPE_HPP

#include <kftrain/model/object_type.hpp>

namespace kftrain::kube::detail {

using kftrain::erased_object;
using kftrain::object_type;
using kftrain::object_type_of;

} // namespace kftrain::kube::detail

#endif
