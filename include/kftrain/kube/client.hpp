#ifndef KFTRAIN_KUBE_CLIENT_HPP
#define KFTRAIN_KUBE_CLIENT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/call_options.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/request_report.hpp>
#include <kftrain/kube/transport.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube {

/// What a server has to say of a request that it carried out or refused for other reasons: a field that it does not know, an
/// API that goes away.
struct server_warning {
    server_warning() = default;

    std::string method;
    std::string target;
    std::string text;
};

/// What holds for every call of a client.
struct client_options {
    client_options() = default;

    std::size_t body_limit = std::size_t(512) * 1024 * 1024; ///< of one answer
    unsigned max_attempts = 10;                              ///< of one call, the first included
    unsigned max_connect_attempts = 5;                       ///< of these, how many may fail to reach the server
    /// The name of the program, `trainer/1.2`, to which platform and library are added; with a parenthesis it is sent as it
    /// is. Empty: the library alone. Servers take what stands before the slash for the field manager of writes that name none.
    std::string user_agent;
    bool gzip =
        false; ///< ask for compressed answers, unless config::disable_compression: where the way is long and lists are large
    /// How many requests the client begins in a second, if that is to be limited; watches, logs and what is `urgent` do not
    /// count. 0: no limit, since servers have fairness of their own.
    double requests_per_second = 0;
    unsigned burst = 10; ///< with requests_per_second: how many may begin at once after a quiet time
    /// How many repetitions of requests each request allows on the average, beside one per second and `retry_reserve` of
    /// them: so that a server in trouble is not kept there.
    double retry_share = 0.2;
    unsigned retry_reserve = 100;
    /// Told of every warning of the server, on the executor of the client, without credentials. Must not throw.
    std::function<void(server_warning const&)> on_warning;
    /// Told once of each call when it has ended, and of each of its attempts before that, on the executor of the client: for
    /// metrics, traces and audit. What they throw is logged and goes no further.
    std::function<void(request_report const&)> on_request;
    std::function<void(request_report const&)> on_attempt;
    /** Told of each failure that what follows objects for long repairs by itself (informers and all kinds of waits), on the executor of the
        client: of a watch that broke, of an answer that nobody can read. What it throws is logged and goes no further. Each request that it
        repeats for that is told by on_attempt. */
    std::function<void(resource_info const& followed, failure const& why)> on_repair;
    /// May add to the request of each attempt before it is sent: a `traceparent` field, say. What it throws is logged; the
    /// request is then sent as it was.
    std::function<void(http_request&)> before_request;
    impersonation as;       ///< empty: as the transport's configuration says
    kftrain::logger logger; ///< it is told of each text once

    client_options& with_body_limit(std::size_t n) { return body_limit = n, *this; }
    client_options& with_max_attempts(unsigned n) { return max_attempts = n, *this; }
    client_options& with_max_connect_attempts(unsigned n) { return max_connect_attempts = n, *this; }
    client_options& with_user_agent(std::string s) { return user_agent = std::move(s), *this; }
    client_options& with_gzip(bool on = true) { return gzip = on, *this; }
    client_options& with_requests_per_second(double n) { return requests_per_second = n, *this; }
    client_options& with_burst(unsigned n) { return burst = n, *this; }
    client_options& with_retry_share(double n) { return retry_share = n, *this; }
    client_options& with_retry_reserve(unsigned n) { return retry_reserve = n, *this; }
    client_options& with_on_warning(std::function<void(server_warning const&)> f);
    client_options& with_on_request(std::function<void(request_report const&)> f);
    client_options& with_on_attempt(std::function<void(request_report const&)> f);
    client_options& with_on_repair(std::function<void(resource_info const&, failure const&)> f);
    client_options& with_before_request(std::function<void(http_request&)> f);
    client_options& with_impersonation(impersonation who);
    client_options& with_logger(kftrain::logger l);
};

/** Sends requests over a transport and turns the answers of a Kubernetes API server into bodies and error codes.
    A handle: copies share the transport. Operations keep what they need; destroying the last handle leaves them running.
    @par Thread safety As the transport's. */
class client {
public:
    explicit client(std::shared_ptr<transport> t, client_options options = {});

    asio::any_io_executor get_executor() const noexcept;
    client_options const& options() const noexcept;
    /// A client with the same options that sends over `t`, which usually passes on to the transport of this one. Pace and
    /// repetitions are counted for both together.
    client over(std::shared_ptr<transport> t) const;
    std::shared_ptr<transport> const& link() const noexcept;

    /** Sends `request` and reads the whole answer. Use it with the builders of `kube/request.hpp`:
        `c.async_call(request::get(info, "default", "a"), token)`.

        Repeated, with waiting times that grow, within the deadline, client_options::max_attempts and its retry_share: any
        method when the server was not reached or answers 429, or 503 with `Retry-After`; GET also after 500, 502, 503 and
        504. Not when a disruption budget forbids an eviction, which is a 429, too.
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
