#ifndef KFTRAIN_SRC_LOCAL_KUBELET_POD_REFERENCE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_POD_REFERENCE_HPP

#include <kftrain/objects/core.hpp>

namespace kftrain::local {

/// Returns what an event about a pod refers to.
inline core::object_reference reference_to_pod(object_meta const& pod) {
    core::object_reference to;
    to.kind = "Pod";
    to.api_version = "v1";
    to.namespace_ = pod.namespace_;
    to.name = pod.name;
    to.uid = pod.uid;
    return to;
}

} // namespace kftrain::local

#endif
