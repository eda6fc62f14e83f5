#ifndef KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>

#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/web_socket.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string_view>

namespace kftrain::apiserver {

namespace asio = boost::asio;

/** Carries the streams of a command to a client over WebSocket, and its input back. Ends with the command, the client
    or the server; when it ends before the command, the command is killed. */
class exec_session : public std::enable_shared_from_this<exec_session> {
public:
    exec_session(asio::any_io_executor executor, std::unique_ptr<kube::upgraded_stream> stream,
                 std::shared_ptr<exec_process> process);

    /// Runs to the end. Once.
    static asio::awaitable<void> run(std::shared_ptr<exec_session> self);
    /// Ends it at once.
    void stop() noexcept;

private:
    using channel = exec_process::channel;

    static asio::awaitable<void> carry_output(std::shared_ptr<exec_session> self, channel from,
                                              kube::detail::exec_byte to);
    static asio::awaitable<void> carry_input(std::shared_ptr<exec_session> self);
    static asio::awaitable<void> await_end(std::shared_ptr<exec_session> self);
    void spawn(asio::awaitable<void> part);
    void resize(std::string_view text);

    asio::any_io_executor executor_;
    std::shared_ptr<kube::detail::web_socket> socket_;
    std::shared_ptr<exec_process> process_;
    asio::steady_timer changed_;
    kube::detail::exec_end end_;
    int outputs_ = 2;    ///< that have not ended
    bool ended_ = false; ///< the command
    bool stopped_ = false;
};

/// Two ends of a connection within the process: what is written to one is read from the other.
std::pair<std::unique_ptr<kube::upgraded_stream>, std::unique_ptr<kube::upgraded_stream>>
make_stream_pair(asio::any_io_executor const& executor, kube::http_fields fields);

} // namespace kftrain::apiserver

#endif
