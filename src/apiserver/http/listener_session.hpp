#ifndef KFTRAIN_SRC_APISERVER_HTTP_LISTENER_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_LISTENER_SESSION_HPP

#include "apiserver/http/server_core.hpp"
#include "kube/transport/transport_stream.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/tls_identity.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <optional>

namespace kftrain::apiserver {

/// Awaits an operation that leaves its error in `ec`.
inline auto to(error_code& ec) { return asio::redirect_error(asio::use_awaitable, ec); }

/// Returns the user that has this token in the options of a listener; null if there is none.
std::shared_ptr<user_info const> listed_user(listener_options const& options, std::string_view token);

/// The user of a client certificate.
struct certified_user {
    user_info user;
    std::chrono::system_clock::time_point end; ///< when the first certificate of the chain expires
};

/// Returns the user of the certificate with which the peer of a handshake authenticated; null if there is none that is
/// valid at `now`.
std::shared_ptr<certified_user const> find_certified_user(kube::detail::byte_stream& stream,
                                                          std::chrono::system_clock::time_point now);

/// One connection: reads requests one after the other, writes the answers.
class listener_session : public std::enable_shared_from_this<listener_session> {
public:
    /// @param large_heads the number of heads above 64 KiB that the sessions of a listener hold
    listener_session(std::shared_ptr<server_core> core, std::shared_ptr<listener_options const> options,
                     std::unique_ptr<kube::detail::byte_stream> stream, std::shared_ptr<std::size_t> large_heads);

    /// Serves until the connection ends. `known` is called when a request has shown a valid token, once; `done` at the
    /// end. Both on the server's executor.
    void start(std::function<void()> known, std::function<void()> done);
    /// Closes the connection at once.
    void cut();

private:
    using clock = std::chrono::steady_clock;
    /// Refuses a header field that Beast would throw for.
    class request_parser final : public boost::beast::http::request_parser<boost::beast::http::string_body> {
        void on_field_impl(boost::beast::http::field name, boost::beast::string_view text,
                           boost::beast::string_view value, error_code& ec) override;
    };
    enum class standing { refused, anybody, known };
    /// Counts a large head while it exists.
    class head_place {
    public:
        explicit head_place(std::shared_ptr<std::size_t> taken) : taken_(std::move(taken)) { ++*taken_; }
        head_place(head_place const&) = delete;
        head_place& operator=(head_place const&) = delete;
        ~head_place() { --*taken_; }

    private:
        std::shared_ptr<std::size_t> taken_;
    };

    asio::awaitable<void> run();
    /// False when the connection is to be closed.
    asio::awaitable<bool> exchange();
    /// Reads the head, and the body if the caller may send one. Sets `why` if the request is refused without a look at
    /// the body.
    asio::awaitable<error_code> read_request(request_parser& parser, kube::http_request& request,
                                             std::optional<refusal>& why);
    asio::awaitable<void> refuse(refusal why);
    std::optional<refusal> refusal_of(error_code ec) const;
    asio::awaitable<void> write(reply& answer, bool head_only, bool keep_alive);
    asio::awaitable<void> write_stream(reply& answer, bool chunked);
    /// Switches the connection to WebSocket, and serves it to its end.
    asio::awaitable<void> serve_upgrade(reply& answer);
    /// The time for it runs on if `more` of the same answer follows.
    asio::awaitable<error_code> send(std::string const& bytes, bool more = false);
    asio::awaitable<void> notice_end();
    asio::awaitable<void> linger();
    standing judge(boost::beast::http::request_header<> const& head);
    std::shared_ptr<user_info const> find_user(std::string_view token) const;
    void become_known();
    void within(std::chrono::milliseconds limit);
    void no_limit();
    void until(clock::time_point when);
    void run_timer();

    std::shared_ptr<server_core> core_;
    std::shared_ptr<listener_options const> options_;
    kube::detail::byte_stream& bytes_; ///< of `stream_`
    kube::detail::any_stream stream_;
    std::shared_ptr<certified_user const> certified_;
    std::shared_ptr<std::size_t> large_heads_;
    std::optional<head_place> large_head_; ///< of the request that is being read
    boost::beast::flat_buffer buffer_;
    asio::steady_timer timer_;
    clock::time_point deadline_ = clock::time_point::max();
    bool timer_runs_ = false;
    std::size_t share_left_ = 0;        ///< of what is to be taken before deadline_
    clock::time_point request_until_{}; ///< of the one that is being read
    clock::time_point authenticate_by_; ///< nothing that is sent moves it but the token
    std::function<void()> known_;
    std::shared_ptr<user_info const> user_; ///< of the request; null: may do everything
    asio::cancellation_signal reading_;
    bool streaming_ = false;
};

/** Returns why the head of a request does not clearly say where the request ends or whom it is for; nothing if it does.
    The connection of such a request cannot go on: a peer could parse the remaining bytes as another request.
    @par Upstream Go 1.22 `net/http/transfer.go`, `net/http/server.go`, `golang.org/x/net/http/httpguts`; RFC 9112 */
std::optional<refusal> framing_fault(boost::beast::http::request_header<> const& head);

/** The server's side of TLS. A read and a write may go on side by side: a watch waits for events and for the end of the
    connection.
    @param client_ca_pem listener_options::client_ca_pem
    @par Errors `errc::invalid_argument` for an unusable certificate or key. */
result<std::unique_ptr<kube::detail::stream_factory>> make_tls_streams(tls_identity const&,
                                                                       std::string const& client_ca_pem);

} // namespace kftrain::apiserver

#endif
