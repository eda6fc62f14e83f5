#ifndef KFTRAIN_SRC_KUBE_CALLS_PROTOCOL_FAILURE_HPP
#define KFTRAIN_SRC_KUBE_CALLS_PROTOCOL_FAILURE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// An answer that breaks the rules of the API at this place.
inline failure protocol_failure(std::string path, std::string message) {
    diagnostics d;
    d.path = std::move(path);
    d.message = std::move(message);
    return {errc::protocol, std::move(d)};
}

} // namespace kftrain::kube::detail

#endif
