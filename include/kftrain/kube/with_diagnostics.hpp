#ifndef KFTRAIN_KUBE_WITH_DIAGNOSTICS_HPP
#define KFTRAIN_KUBE_WITH_DIAGNOSTICS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace kftrain::kube {

/// See with_diagnostics().
template <class Token> class with_diagnostics_t {
public:
    explicit constexpr with_diagnostics_t(Token t = Token()) : token(std::move(t)) {}

    Token token; ///< the adapted token
};

/** Adapts a completion token: an operation with the handler signature `void(error_code, T...)` gets the signature
    `void(std::exception_ptr, T...)`. Upon failure the exception is a @ref kftrain::error with the code and the
    details, otherwise null. A future or an awaiting caller gets it thrown and needs no `diagnostics` object.

    If the caller's options have a `detail`, it is filled as well. For operations without such options the error has
    only the code. Operations that are called without a token are adapted already, see @ref default_token. An operation
    that has an exception in its signature is not changed.
    @par Cancellation and executors are those of `token`.
    @par Example `auto found = pods.async_get("a", with_diagnostics(asio::use_future)); found.get();` */
template <class Token> constexpr auto with_diagnostics(Token&& token) {
    return with_diagnostics_t<std::decay_t<Token>>(std::forward<Token>(token));
}

namespace detail {

/// Options that have a `detail` for the diagnostics of a failure.
template <class T>
concept has_detail = requires(std::remove_cvref_t<T>& t) {
    { t.detail } -> std::same_as<diagnostics*&>;
};

/// Calls the handler of the adapted token with an error that has the diagnostics. Owns them while they are written.
template <class Handler> struct diagnosed_handler {
    Handler handler;
    std::unique_ptr<diagnostics> own;
    diagnostics* written; ///< `own`, or those of the caller

    template <class... T> void operator()(error_code ec, T&&... value) {
        std::exception_ptr error;
        if (ec) error = std::make_exception_ptr(kftrain::error(failure(ec, *written)));
        own.reset();
        std::move(handler)(std::move(error), std::forward<T>(value)...);
    }
};

/// Starts an operation whose options write to the diagnostics that the handler owns.
template <class Initiation> class diagnosed_initiation {
public:
    using executor_type = boost::asio::associated_executor_t<Initiation>;

    explicit diagnosed_initiation(Initiation i) : start_(std::move(i)) {}

    executor_type get_executor() const noexcept { return boost::asio::get_associated_executor(start_); }

    template <class Handler, class... Args> void operator()(Handler&& handler, Args&&... args) {
        auto own = std::make_unique<diagnostics>();
        diagnostics* written = own.get();
        (look_for_given(args, written), ...);
        std::move(start_)(
            diagnosed_handler<std::decay_t<Handler>>{std::forward<Handler>(handler), std::move(own), written},
            directed(std::forward<Args>(args), written)...);
    }

private:
    template <class T> static void look_for_given(T const& argument, diagnostics*& written) {
        if constexpr (has_detail<T>)
            if (argument.detail != nullptr) written = argument.detail;
    }
    template <class T> static auto directed(T&& argument, diagnostics* written) {
        std::decay_t<T> own(std::forward<T>(argument));
        if constexpr (has_detail<T>) own.detail = written;
        return own;
    }

    Initiation start_;
};

} // namespace detail

} // namespace kftrain::kube

/// The adapted handler has all associated objects of the handler of the token: executor, cancellation slot, allocator.
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, kftrain::kube::detail::diagnosed_handler<Handler>, Default> {
    using type = typename Associator<Handler, Default>::type;

    static type get(kftrain::kube::detail::diagnosed_handler<Handler> const& h, Default const& d = Default()) noexcept {
        return Associator<Handler, Default>::get(h.handler, d);
    }
};

template <class Token, class... T>
class boost::asio::async_result<kftrain::kube::with_diagnostics_t<Token>, void(kftrain::error_code, T...)> {
public:
    template <class Initiation, class Adapter, class... Args>
    static auto initiate(Initiation&& start, Adapter&& adapter, Args&&... args) {
        using started = kftrain::kube::detail::diagnosed_initiation<std::decay_t<Initiation>>;
        Token token = std::forward<Adapter>(adapter).token; // a named adapter may serve several operations
        return async_initiate<Token, void(std::exception_ptr, T...)>(started(std::forward<Initiation>(start)), token,
                                                                     std::forward<Args>(args)...);
    }
};

template <class Token, class... T>
class boost::asio::async_result<kftrain::kube::with_diagnostics_t<Token>, void(std::exception_ptr, T...)> {
public:
    template <class Initiation, class Adapter, class... Args>
    static auto initiate(Initiation&& start, Adapter&& adapter, Args&&... args) {
        Token token = std::forward<Adapter>(adapter).token;
        return async_initiate<Token, void(std::exception_ptr, T...)>(std::forward<Initiation>(start), token,
                                                                     std::forward<Args>(args)...);
    }
};

#endif
