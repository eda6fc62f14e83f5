#ifndef KFTRAIN_SRC_KUBE_EXEC_WEB_SOCKET_HPP
#define KFTRAIN_SRC_KUBE_EXEC_WEB_SOCKET_HPP

#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tuple>

namespace kftrain::kube::detail {

/** Messages over a connection that speaks WebSocket. Answers pings while a read is pending, and sends pings from the
    first read on. A client closes the connection if its server stays silent for 30 s while a read is pending. When a
    write fails, reads go on: the peer may have sent data before it closed.

    One read may be pending, and any number of writes: they are sent in their order. A write completes when few bytes
    wait to be sent, so that senders are as slow as the peer. All functions belong on the executor. */
class web_socket : public std::enable_shared_from_this<web_socket> {
public:
    web_socket(asio::any_io_executor executor, std::unique_ptr<upgraded_stream> stream, connection_role role,
               std::size_t message_limit);
    web_socket(web_socket const&) = delete;
    web_socket& operator=(web_socket const&) = delete;
    ~web_socket();

    /** The next message; `eof` when the peer has closed the WebSocket, `errc::connection_lost` if the connection ended
        without that, `errc::protocol`, `errc::too_large`; after cut() `operation_aborted`. */
    static asio::awaitable<std::tuple<error_code, std::string>> read(std::shared_ptr<web_socket> self);
    static asio::awaitable<error_code> write(std::shared_ptr<web_socket> self, std::string message);
    /// Sends a close frame, and waits until it has left.
    static asio::awaitable<void> close(std::shared_ptr<web_socket> self);
    /// Closes the connection at once.
    void cut() noexcept;
    /// Calls `f` on the executor once a write has failed. Not called after cut().
    void on_unwritable(std::function<void()> f);

private:
    using clock = std::chrono::steady_clock;

    void send(frame_type type, std::string_view payload);
    void pump();
    void arm_ping();
    void give_up(error_code ec) noexcept;
    error_code write_fault() const noexcept { return broken_ ? broken_ : write_fault_; }
    /// Answers a control frame.
    void answer(websocket_message const& control);

    asio::any_io_executor executor_;
    std::unique_ptr<upgraded_stream> stream_;
    connection_role role_;
    websocket_parser parser_;
    std::string out_;         ///< frames that wait for the write that is going on
    std::size_t sending_ = 0; ///< bytes of that write
    asio::steady_timer progress_;
    asio::steady_timer ping_;
    clock::time_point heard_;
    std::function<void()> on_unwritable_;
    error_code broken_;
    error_code write_fault_;
    bool pinging_ = false;
    bool reading_ = false;
    bool closed_ = false; ///< a close frame was sent
};

/** Returns the connection that the messages of a WebSocket carry: each message is a piece of it. It cannot be
    cancelled, only closed. */
std::unique_ptr<upgraded_stream> make_web_socket_bytes(asio::any_io_executor executor,
                                                       std::shared_ptr<web_socket> socket);

} // namespace kftrain::kube::detail

#endif
