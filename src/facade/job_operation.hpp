#ifndef KFTRAIN_SRC_FACADE_JOB_OPERATION_HPP
#define KFTRAIN_SRC_FACADE_JOB_OPERATION_HPP

#include "kube/async/operation.hpp"

#include <memory>
#include <type_traits>

// Bodies of operations that are coroutines.
namespace kftrain {

/// Ends a coroutine body with this failure. `detail` receives the diagnostics, unless it is null.
[[noreturn]] inline void fail_with(failure const& f, diagnostics* detail) {
    if (detail != nullptr) *detail = f.detail;
    kube::detail::fail(f.code);
}

/// Runs the coroutine `body->run()`, and keeps `body` alive meanwhile.
template <class Body> auto run_shared(std::shared_ptr<Body> body) -> decltype(body->run()) {
    if constexpr (std::is_void_v<typename decltype(body->run())::value_type>) {
        co_await body->run();
    } else {
        auto outcome = co_await body->run();
        co_return outcome;
    }
}

} // namespace kftrain

#endif
