#ifndef KFTRAIN_KUBE_NEXT_OPTIONS_HPP
#define KFTRAIN_KUBE_NEXT_OPTIONS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <chrono>

namespace kftrain::kube {

/// How long to wait for the next item of a stream.
struct next_options {
    next_options() = default;

    std::chrono::milliseconds timeout{0}; ///< 0: no limit
    diagnostics* detail = nullptr;        ///< filled before completion; must live until then

    next_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    next_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

} // namespace kftrain::kube

#endif
