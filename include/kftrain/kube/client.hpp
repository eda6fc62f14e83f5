#ifndef KFTRAIN_KUBE_CLIENT_HPP
#define KFTRAIN_KUBE_CLIENT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/call_options.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/transport.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace kftrain::kube {

/// What holds for every call of a client.
struct client_options {
    client_options() = default;

    std::size_t body_limit = std::size_t(512) * 1024 * 1024; ///< of one answer
    unsigned max_attempts = 10;                              ///< of one call, the first included
    unsigned max_connect_attempts = 5;                       ///< of these, how many may fail to reach the server
    std::string user_agent;                                  ///< empty: the transport's own
    kftrain::logger logger;

    client_options& with_body_limit(std::size_t n) { return body_limit = n, *this; }
    client_options& with_max_attempts(unsigned n) { return max_attempts = n, *this; }
    client_options& with_max_connect_attempts(unsigned n) { return max_connect_attempts = n, *this; }
    client_options& with_user_agent(std::string s) { return user_agent = std::move(s), *this; }
    client_options& with_logger(kftrain::logger l) { return logger = std::move(l), *this; }
};

/** Sends requests over a transport and turns the answers of a Kubernetes API server into bodies and error codes.
    A handle: copies share the transport. Operations keep what they need; destroying the last handle leaves them running.
    @par Thread safety As the transport's. */
class client {
public:
    explicit client(std::shared_ptr<transport> t, client_options options = {});

    asio::any_io_executor get_executor() const noexcept;
    client_options const& options() const noexcept;

    /** Sends `request` and reads the whole answer. Use it with the builders of `kube/request.hpp`:
        `c.async_call(request::get(info, "default", "a"), token)`.

        Repeated, with waiting times that grow, within the deadline and client_options::max_attempts: any method when the
        server was not reached or answers 429, or 503 with `Retry-After`; GET also after 500, 502, 503 and 504.
        @par Handler signature `void(error_code, std::string)`
        @par Errors a failed `request`; a @ref reason with the server's `Status` in the diagnostics; `errc::timeout`,
        `errc::too_large`, transport errors.
        @par Cancellation GET: total. Else partial and terminal; the request may have been carried out.
        @par Object lifetimes A `cancellation_signal` whose slot is bound to the token, and `options.detail`, must live until
        the handler was called, as for every operation of the library. */
    template <detail::completion_token Token = default_token>
    auto async_call(result<http_request> request, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::string)>(get_executor(), std::forward<Token>(token),
                                                               starter(*this), std::move(request), std::move(options));
    }
    template <detail::completion_token Token> auto async_call(result<http_request> request, Token&& token) const {
        return async_call(std::move(request), call_options(), std::forward<Token>(token));
    }

    /** Sends `request` once and completes when the head of the answer says success; the body follows in pieces.
        `options.timeout` covers the time until then, not the body.
        @par Handler signature `void(error_code, std::unique_ptr<body_stream>)`
        @par Errors as async_call().
        @par Cancellation as async_call(). */
    template <detail::completion_token Token = default_token>
    auto async_stream(result<http_request> request, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::unique_ptr<body_stream>)>(
            get_executor(), std::forward<Token>(token), starter(*this), std::move(request), std::move(options));
    }
    template <detail::completion_token Token> auto async_stream(result<http_request> request, Token&& token) const {
        return async_stream(std::move(request), call_options(), std::forward<Token>(token));
    }

    /** `d` without the credentials of the transport, for what was made of words of the server. The diagnostics of failed
        calls need it no more; those of bodies that the caller decodes do. */
    diagnostics redact(diagnostics d) const;

    /// The erased forms, for code that holds an erased handler already.
    void start(any_handler<void(error_code, std::string)> handler, result<http_request> request,
               call_options options) const;
    void start(any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, result<http_request> request,
               call_options options) const;

    struct state;
    std::shared_ptr<state> const& core() const noexcept { return state_; }

private:
    struct starter {
        explicit starter(client const& c) : state_(c.state_) {}
        template <class Handler> void operator()(Handler handler, result<http_request> request, call_options options) {
            client(state_).start(std::move(handler), std::move(request), std::move(options));
        }
        std::shared_ptr<state> state_;
    };

    explicit client(std::shared_ptr<state> s) : state_(std::move(s)) {}

    std::shared_ptr<state> state_;
};

} // namespace kftrain::kube

#endif
