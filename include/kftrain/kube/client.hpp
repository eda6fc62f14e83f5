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

/// A warning that a server returned with a response, for example about an unknown field or a deprecated API.
struct server_warning {
    server_warning() = default;

    std::string method;
    std::string target;
    std::string text;
};

/// Options of all calls of a client.
struct client_options {
    client_options() = default;

    std::size_t body_limit = std::size_t(512) * 1024 * 1024; ///< of one response, in bytes
    unsigned max_attempts = 10;                              ///< attempts of one call, including the first
    unsigned max_connect_attempts = 5;                       ///< attempts of one call that may fail to reach the server
    /// The name of the program, such as `trainer/1.2`. The client appends the platform and the library, unless the name
    /// contains a parenthesis. Empty: only the library. For writes without a field manager, servers use the text before
    /// the slash.
    std::string user_agent;
    /// Request compressed responses, unless config::disable_compression is set. Useful for large lists over slow
    /// networks.
    bool gzip = false;
    /// Rate limit: the number of requests that the client starts per second. Watches, logs and `urgent` requests do not
    /// count. 0: no limit, because servers have their own priority and fairness.
    double requests_per_second = 0;
    unsigned burst = 10; ///< with requests_per_second: how many requests may start at once after an idle time
    /// Retry budget: retries allowed per request on average, plus one per second and a reserve of `retry_reserve`.
    /// Keeps retries from overloading a struggling server.
    double retry_share = 0.2;
    unsigned retry_reserve = 100;
    /// Called for every warning of the server, on the executor of the client. Credentials are removed from the text.
    /// Must not throw.
    std::function<void(server_warning const&)> on_warning;
    /// `on_request` is called once for each completed call; before that, `on_attempt` is called for each attempt of the
    /// call. For metrics, traces and audit. Both are called on the executor of the client. Exceptions are logged and
    /// dropped.
    std::function<void(request_report const&)> on_request;
    std::function<void(request_report const&)> on_attempt;
    /** Called on the executor of the client for each failure that a long-running follower (an informer or a wait)
        recovers from by itself: a broken watch, an unreadable response. Also called for each object that does not
        fit its struct, once for each version of it. Exceptions are logged and dropped. on_attempt reports each
        retried request. */
    std::function<void(resource_info const& followed, failure const& why)> on_repair;
    /// May modify the request of each attempt before it is sent, e.g. add a `traceparent` field. Exceptions are logged;
    /// the request is then sent unmodified.
    std::function<void(http_request&)> before_request;
    impersonation as;       ///< empty: as in the configuration of the transport
    kftrain::logger logger; ///< receives each text of a server warning once

    client_options& with_body_limit(std::size_t n) { return body_limit = n, *this; }
    client_options& with_max_attempts(unsigned n) { return max_attempts = n, *this; }
    client_options& with_max_connect_attempts(unsigned n) { return max_connect_attempts = n, *this; }
    client_options& with_user_agent(std::string s) { return user_agent = std::move(s), *this; }
    client_options& with_gzip(bool on = true) { return gzip = on, *this; }
    client_options& with_requests_per_second(double n) { return requests_per_second = n, *this; }
    client_options& with_burst(unsigned n) { return burst = n, *this; }
    client_options& with_retry_share(double n) { return retry_share = n, *this; }
    client_options& with_retry_reserve(unsigned n) { return retry_reserve = n, *this; }
    client_options& with_on_warning(std::function<void(server_warning const&)> f) {
        return on_warning = std::move(f), *this;
    }
    client_options& with_on_request(std::function<void(request_report const&)> f) {
        return on_request = std::move(f), *this;
    }
    client_options& with_on_attempt(std::function<void(request_report const&)> f) {
        return on_attempt = std::move(f), *this;
    }
    client_options& with_on_repair(std::function<void(resource_info const&, failure const&)> f) {
        return on_repair = std::move(f), *this;
    }
    client_options& with_before_request(std::function<void(http_request&)> f) {
        return before_request = std::move(f), *this;
    }
    client_options& with_impersonation(impersonation who) { return as = std::move(who), *this; }
    client_options& with_logger(kftrain::logger l) { return logger = std::move(l), *this; }
};

namespace detail {

struct client_access;

} // namespace detail

/** Sends requests over a transport and decodes the responses of a Kubernetes API server into bodies and error codes. A
    handle: copies share the transport. Destroying the last handle does not stop operations.
    @par Thread safety Start operations on the executor, or while no other thread runs it. A library that is built with
    checks completes other operations with `errc::wrong_thread`. A handle from thread_safe() has no such limit. The last
    handle must be destroyed on the executor, or while no other thread runs it. */
class client {
public:
    explicit client(std::shared_ptr<transport> t, client_options options = {});

    asio::any_io_executor get_executor() const noexcept;

    /** Returns a handle of the same client whose operations any thread may start, also several threads at the same
        time. The executor must be a strand, or an `io_context` that one thread runs. An operation that is started
        elsewhere is dispatched to the executor; the handler is called on its associated executor as always.

        Objects that were made with such a handle, for example api<K>, discovery, watch_stream, log_stream and @ref
        kftrain::training_client, have the same property, as far as they do not document something else. Informers,
        controllers and a body_stream do not: use them on the executor.
        @par Cancellation Emit the signal on the executor of the handler. If it is emitted before the dispatched start,
        the operation does not begin and completes with `operation_aborted`. */
    client thread_safe() const;
    /// Returns whether this handle is from thread_safe().
    bool is_thread_safe() const noexcept { return any_thread_; }
    client_options const& options() const noexcept;
    /// Returns a client with the same options that sends over `t`, which usually forwards to the transport of this
    /// client. Both share the rate limit and the retry budget.
    client with_transport(std::shared_ptr<transport> t) const;
    std::shared_ptr<transport> const& get_transport() const noexcept;

    /** Sends `request` and reads the whole response. Use it with the builders of `kube/request.hpp`:
        `c.async_call(request::get(info, "default", "a"), token)`.

        Retries with increasing delays, within the deadline, client_options::max_attempts and the retry budget
        (client_options::retry_share). Any method is retried if the server was not reached, or returned 429, or 503 with
        `Retry-After`; GET also after 500, 502, 503 and 504. An eviction that a disruption budget forbids is not
        retried, although its status is 429, too.
        @par Handler signature `void(error_code, std::string)`
        @par Errors a failed `request`; a @ref reason with the `Status` of the server in the diagnostics;
        `errc::timeout`, `errc::too_large`, transport errors.
        @par Cancellation GET: total. Others: partial and terminal; the request may have been carried out.
        @par Object lifetimes A `cancellation_signal` whose slot is bound to the token, and `options.detail`, must live
        until the handler has been called, as for every operation of the library. */
    template <detail::completion_token Token = default_token>
    auto async_call(result<http_request> request, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::string)>(place(), std::forward<Token>(token), starter(*this),
                                                               std::move(request), std::move(options));
    }
    template <detail::completion_token Token> auto async_call(result<http_request> request, Token&& token) const {
        return async_call(std::move(request), call_options(), std::forward<Token>(token));
    }

    /** Sends `request` once and completes when the head of the response reports success; the body follows in pieces.
        `options.timeout` covers the time until then, not the body.
        @par Handler signature `void(error_code, std::unique_ptr<body_stream>)`
        @par Errors as async_call().
        @par Cancellation as async_call(). */
    template <detail::completion_token Token = default_token>
    auto async_stream(result<http_request> request, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::unique_ptr<body_stream>)>(
            place(), std::forward<Token>(token), starter(*this), std::move(request), std::move(options));
    }
    template <detail::completion_token Token> auto async_stream(result<http_request> request, Token&& token) const {
        return async_stream(std::move(request), call_options(), std::forward<Token>(token));
    }

    /** Returns `d` without the credentials of the transport, for diagnostics that contain text from the server.
        Diagnostics of failed calls are already redacted; those of bodies that the caller decodes are not. */
    diagnostics redact(diagnostics d) const;

    struct state;

private:
    friend struct detail::client_access;

    struct starter {
        explicit starter(client const& c) : state_(c.state_) {}
        template <class Handler> void operator()(Handler handler, result<http_request> request, call_options options) {
            start(state_, std::move(handler), std::move(request), std::move(options));
        }
        std::shared_ptr<state> state_;
    };

    explicit client(std::shared_ptr<state> s) : state_(std::move(s)) {}

    detail::start_place place() const;
    static void start(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                      result<http_request> request, call_options options);
    static void start(std::shared_ptr<state> const& s,
                      any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, result<http_request> request,
                      call_options options);

    std::shared_ptr<state> state_;
    bool any_thread_ = false;
};

namespace detail {

/// The access of other parts of the library to a client.
struct client_access {
    static std::shared_ptr<client::state> const& state_of(client const& c) noexcept { return c.state_; }
    static start_place place_of(client const& c) { return c.place(); }

    /// Starts a call on this thread, with a handler that is already erased.
    template <class T>
    static void start(client const& c, any_handler<void(error_code, T)> handler, result<http_request> request,
                      call_options options) {
        client::start(c.state_, std::move(handler), std::move(request), std::move(options));
    }
};

} // namespace detail

} // namespace kftrain::kube

#endif
