#ifndef KFTRAIN_SRC_KUBE_ASYNC_BLOCKING_FORM_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_BLOCKING_FORM_HPP

#include <kftrain/kube/blocking.hpp>

#include <type_traits>
#include <utility>

namespace kftrain::kube::detail {

/** The blocking form of an operation that `start(handler, options)` starts. A failure has the details of the operation,
    also if the caller's options have no place for them. `place` is that of run_blocking(). */
template <class T, class Place, class Options, class Start>
result<T> blocking_form(Place const& place, Options options, Start start) {
    diagnostics own;
    if (options.detail == nullptr) options.detail = &own;
    diagnostics const& detail = *options.detail;
    auto const begin = [&](auto handler) { start(std::move(handler), std::move(options)); };
    if constexpr (std::is_void_v<T>)
        return run_blocking(place, detail, begin);
    else
        return run_blocking<T>(place, detail, begin);
}

} // namespace kftrain::kube::detail

#endif
