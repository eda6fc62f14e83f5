#ifndef KFTRAIN_LOCAL_START_OPTIONS_HPP
#define KFTRAIN_LOCAL_START_OPTIONS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <chrono>

namespace kftrain::local {

/// Options for the start of a kubelet or a local cluster.
struct start_options {
    start_options() = default;

    std::chrono::milliseconds timeout{60'000}; ///< 0: no limit
    diagnostics* detail = nullptr;             ///< filled before completion; must live until then

    start_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    start_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

} // namespace kftrain::local

#endif
