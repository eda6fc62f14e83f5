#ifndef KFTRAIN_KUBE_DEFAULT_TOKEN_HPP
#define KFTRAIN_KUBE_DEFAULT_TOKEN_HPP

#include <kftrain/base/diagnostics.hpp>

#include <boost/asio/deferred.hpp>

#include <concepts>
#include <type_traits>

namespace kftrain::kube {

/** The completion token of operations that are given none. What they hand back can be awaited, `co_await pods.async_get("a")`,
    or called with a token. Nothing begins before that. It does not keep the informer, operator, cluster ... that it belongs to:
    if that is gone by then, it ends with `operation_aborted`. Failures are thrown as `boost::system::system_error`; with_diagnostics() says more. */
using default_token = boost::asio::deferred_t;

namespace detail {

/// Options that say where what is known about a failure goes.
template <class T>
concept has_detail = requires(std::remove_cvref_t<T>& t) {
    { t.detail } -> std::same_as<diagnostics*&>;
};

/// What may stand where a completion token is expected: anything but options, which may be left out before it.
template <class T>
concept completion_token = !has_detail<T>;

} // namespace detail

} // namespace kftrain::kube

#endif
