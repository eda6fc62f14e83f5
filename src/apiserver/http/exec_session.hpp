#ifndef KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP

#include "apiserver/http/remote_session.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/web_socket.hpp"
#include "kube/streams/spdy_session.hpp"

#include <kftrain/apiserver/pod_exec_source.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

namespace kftrain::apiserver {

namespace asio = boost::asio;

/// The channels of a command to a client. One read may be pending, and any number of writes.
class exec_link {
public:
    using outcome = std::tuple<error_code, kube::detail::exec_byte, std::string>;

    exec_link() = default;
    exec_link(exec_link const&) = delete;
    exec_link& operator=(exec_link const&) = delete;
    virtual ~exec_link() = default;

    /// Waits until the client has opened its channels.
    virtual asio::awaitable<error_code> open() = 0;
    /// The next message of the client: input, the end of the input as `close`, or the size of the terminal.
    virtual asio::awaitable<outcome> read() = 0;
    /// Completes when few bytes wait to be sent.
    virtual asio::awaitable<error_code> write(kube::detail::exec_byte to, std::string text) = 0;
    /// Ends all channels, and waits until everything has left.
    virtual asio::awaitable<void> close() = 0;
    /// Closes the connection at once.
    virtual void cut() noexcept = 0;
    /// Calls `f` once a write has failed. Not called after cut().
    virtual void on_unwritable(std::function<void()> f) = 0;
};

/// Channels as the first bytes of WebSocket messages.
std::shared_ptr<exec_link> make_channel_link(std::shared_ptr<kube::detail::web_socket> socket);
/** Channels as streams of a SPDY connection, which it runs.
    @par Upstream kubernetes v1.31 `staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/httpstream.go` */
std::shared_ptr<exec_link> make_spdy_link(std::shared_ptr<kube::detail::spdy_session> spdy,
                                          exec_request const& streams);

/** Carries the streams of a command to a client, and its input back. Ends with the command, the client or the server;
    when it ends before the command, the command is killed. */
class exec_session final : public remote_session {
public:
    exec_session(asio::any_io_executor executor, std::shared_ptr<exec_link> link,
                 std::shared_ptr<exec_process> process);

    asio::awaitable<void> run() override;
    void stop() noexcept override;

private:
    using channel = exec_process::channel;

    static asio::awaitable<void> carry_output(std::shared_ptr<exec_session> self, channel from,
                                              kube::detail::exec_byte to);
    static asio::awaitable<void> carry_input(std::shared_ptr<exec_session> self);
    static asio::awaitable<void> await_end(std::shared_ptr<exec_session> self);
    void spawn(asio::awaitable<void> part);
    void resize(std::string_view text);

    asio::any_io_executor executor_;
    std::shared_ptr<exec_link> link_;
    std::shared_ptr<exec_process> process_;
    asio::steady_timer changed_;
    kube::detail::exec_end end_;
    int outputs_ = 2;    ///< that have not ended
    bool ended_ = false; ///< the command
    bool stopped_ = false;
};

} // namespace kftrain::apiserver

#endif
