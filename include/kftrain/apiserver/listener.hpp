#ifndef KFTRAIN_APISERVER_LISTENER_HPP
#define KFTRAIN_APISERVER_LISTENER_HPP

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/apiserver/tls_identity.hpp>
#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/initiate.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::apiserver {

/// A bearer token, and the user whose requests have it.
struct token_user {
    token_user() = default;
    token_user(std::string t, user_info u) : token(std::move(t)), user(std::move(u)) {}

    std::string token; ///< not empty
    user_info user;
};

struct listener_options {
    listener_options() = default;

    std::string address = "127.0.0.1"; ///< an IP address
    unsigned short port = 0;           ///< 0: any free port
    /// A TCP socket that is already listening, e.g. in another network namespace, used instead of address and port. The
    /// listener owns it from the call of open() on, even if open() fails.
    std::optional<int> native_socket;
    std::optional<tls_identity> tls; ///< without it: plain HTTP
    /// The token of the user `kubernetes-admin`. Empty: no authentication, and every client has all
    /// permissions.
    std::string bearer_token;
    /// Further users, with the permissions of their roles; they need `bearer_token`. They are also in the group
    /// `system:authenticated`. Tokens of service accounts are accepted, too: see api_server::service_account_token().
    std::vector<token_user> users;
    /** Certificates of the authorities of client certificates, as PEM; empty: none is accepted. Needs `tls` and
        `bearer_token`. A request over a connection with such a certificate is that of the user of its common name, with
        an organization for each group, and the token counts only without one. A certificate of another authority, one
        that has expired, and one without a common name authenticate nobody: without a valid token, the answer is 401.
        @par Upstream kubernetes `staging/src/k8s.io/apiserver/pkg/authentication/request/x509`, v1.32 */
    std::string client_ca_pem;

    /// Maximum number of open connections. Never more than three quarters of the RLIMIT_NOFILE of the process when the
    /// listener was opened: the process needs descriptors for its own work. Idle connections take about 100 KiB each
    /// with TLS.
    std::size_t max_connections = 4096;
    /// Of these, the maximum number from clients without authentication, i.e. without a request with a valid token
    /// (or, if no token is required, without any request); at most half of all. If one more arrives, or all places are
    /// taken, the oldest of them is closed.
    std::size_t max_unauthenticated = 256;
    /// From the accepted connection to the first request with a valid token, regardless of other data.
    std::chrono::milliseconds authentication_timeout = std::chrono::seconds(10);
    /// Maximum size of a request head in bytes, at most 1 MiB; a larger one, or one header field above 64 KiB, gives
    /// 431. So does one above 64 KiB while 64 of these are read, or 16 if the client has not shown a valid token.
    std::uint32_t header_limit = 1 << 20;
    std::chrono::milliseconds idle_timeout = std::chrono::seconds(90); ///< between requests
    std::chrono::milliseconds request_timeout =
        std::chrono::seconds(30); ///< from the first byte of a request to its last
    std::chrono::milliseconds write_timeout = std::chrono::seconds(30);     ///< for each MiB that the client receives
    std::chrono::milliseconds handshake_timeout = std::chrono::seconds(10); ///< TLS
    logger log;
};

/** Serves an api_server over HTTP/1.1, with or without TLS: keep-alive, chunked watches and logs. Closes connections
    of clients that are slow or send too much. Of requests without a valid token it reads only the head.

    @par Object lifetimes Keeps the state of the api_server alive. Destroying it closes its socket and connections
    and ends async_run() with `operation_aborted` when the io_context runs next; if the io_context is destroyed
    instead, these are destroyed with it. Destroy it before its io_context, before or after the api_server, which
    must be destroyed before the io_context as well.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. Works on the executor of the api_server. */
class listener {
public:
    class state;

    /** Binds the socket. Connections wait until async_run().
        @par Errors those of bind and listen; `errc::invalid_argument` for an invalid address or TLS identity. */
    [[nodiscard]] static result<listener> open(api_server& server, listener_options options = {});

    listener(listener&&) noexcept;
    listener& operator=(listener&&) noexcept;
    ~listener();

    asio::any_io_executor get_executor() const noexcept;
    unsigned short port() const noexcept;
    /// Returns `https://127.0.0.1:6443`; a wildcard address is shown as loopback.
    std::string url() const;

    /** Accepts and serves connections until stop() or cancellation; completes when the last connection is closed.
        @par Handler signature `void(error_code)`
        @par Errors `asio::error::operation_aborted` after stop() and cancellation, otherwise why the socket can no
        longer accept; `errc::already_running`, and `errc::ended` once the socket is closed.
        @par Cancellation terminal, partial and total: as stop(). */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    /// Closes the socket and all connections. Thread-safe.
    void stop();

private:
    explicit listener(std::shared_ptr<state> s);
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::apiserver

#endif
