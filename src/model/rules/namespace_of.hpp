#ifndef KFTRAIN_SRC_MODEL_RULES_NAMESPACE_OF_HPP
#define KFTRAIN_SRC_MODEL_RULES_NAMESPACE_OF_HPP

#include <kftrain/model/meta.hpp>

#include <string>

namespace kftrain {

/// Returns the namespace in which the object is or, if it has none yet, will be created unless the client sets another.
inline std::string namespace_of(object_meta const& meta) {
    return meta.namespace_.empty() ? "default" : meta.namespace_;
}

} // namespace kftrain

#endif
