#ifndef KFTRAIN_KUBE_DEFAULT_TOKEN_HPP
#define KFTRAIN_KUBE_DEFAULT_TOKEN_HPP

#include <kftrain/kube/with_diagnostics.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/version.hpp>

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kftrain::kube {

/** The completion token of operations that are called without one. The returned object can be awaited, `co_await
    pods.async_get("a")`, in every coroutine of Asio. The operation does not start before that. Failures are thrown as
    @ref kftrain::error, with the message of the server.

    The object can also be called with a token. Tokens that throw, such as `use_future`, then throw the same. A callback
    takes an `error_code` as always, or a `std::exception_ptr` as with with_diagnostics(). The object does not keep
    alive the informer, operator or cluster that it belongs to: if that was destroyed, the operation ends with
    `operation_aborted`. */
struct default_token {
    default_token() = default;
};

namespace detail {

/// Any type that is accepted as a completion token: everything but options, which may be left out before it.
template <class T>
concept completion_token = !has_detail<T>;

template <class Token, class Signature> inline constexpr bool takes_exception = false;
template <class Token, class... T>
inline constexpr bool takes_exception<Token, void(error_code, T...)> =
    boost::asio::completion_token_for<Token, void(std::exception_ptr, T...)>;

template <class Signature, class Initiation, class... Args> class deferred_operation;

/// An operation that has not started. Asio finds the signature with an exception for it.
template <class... T, class Initiation, class... Args>
class [[nodiscard]] deferred_operation<void(error_code, T...), Initiation, Args...> {
    using signature = void(error_code, T...);

public:
    template <class Start, class... Values>
    explicit deferred_operation(std::in_place_t, Start&& start, Values&&... values)
        : start_(std::forward<Start>(start)), args_(std::forward<Values>(values)...) {}

    template <class Token>
    requires takes_exception<Token, signature>
    auto operator()(Token&& token) && {
        return std::apply(
            [&](Args&... args) {
                return boost::asio::async_initiate<Token, void(std::exception_ptr, T...)>(
                    diagnosed_initiation<Initiation>(std::move(start_)), token, std::move(args)...);
            },
            args_);
    }
    template <class Token>
    requires(!takes_exception<Token, signature>) && boost::asio::completion_token_for<Token, signature>
    auto operator()(Token&& token) && {
        return std::apply(
            [&](Args&... args) {
                return boost::asio::async_initiate<Token, signature>(std::move(start_), token, std::move(args)...);
            },
            args_);
    }
    template <class Token>
    requires takes_exception<Token, signature> || boost::asio::completion_token_for<Token, signature>
    auto operator()(Token&& token) const& {
        return deferred_operation(*this)(std::forward<Token>(token));
    }

private:
    Initiation start_;
    std::tuple<Args...> args_;
};

} // namespace detail

} // namespace kftrain::kube

template <class... T> class boost::asio::async_result<kftrain::kube::default_token, void(kftrain::error_code, T...)> {
public:
    template <class Initiation, class Token, class... Args>
    static auto initiate(Initiation&& start, Token&&, Args&&... args) {
        return kftrain::kube::detail::deferred_operation<void(kftrain::error_code, T...), std::decay_t<Initiation>,
                                                         std::decay_t<Args>...>(
            std::in_place, std::forward<Initiation>(start), std::forward<Args>(args)...);
    }
};

#if BOOST_ASIO_VERSION == 102600
// Asio of Boost 1.81 cannot await an operation that completes with an exception and a value: its function `resume` does
// not compile. Boost 1.82 repaired it. No program can use the broken function, so this adds what is missing, and takes
// the rest from the template.
namespace kftrain::kube::detail {

struct resumed_with_exception {};

} // namespace kftrain::kube::detail

namespace boost::asio::detail {

template <typename, typename> class awaitable_async_op_handler;

template <class T, class Executor>
class awaitable_async_op_handler<void(std::exception_ptr, T), Executor>
    : public awaitable_async_op_handler<kftrain::kube::detail::resumed_with_exception(std::exception_ptr, T),
                                        Executor> {
    using base =
        awaitable_async_op_handler<kftrain::kube::detail::resumed_with_exception(std::exception_ptr, T), Executor>;

public:
    using base::base;

    static T resume(typename base::result_type& outcome) {
        if (*outcome.ex_ != nullptr) std::rethrow_exception(std::exchange(*outcome.ex_, nullptr));
        return std::move(*outcome.value_);
    }
};

} // namespace boost::asio::detail
#endif

#endif
