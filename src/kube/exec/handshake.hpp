#ifndef KFTRAIN_SRC_KUBE_EXEC_HANDSHAKE_HPP
#define KFTRAIN_SRC_KUBE_EXEC_HANDSHAKE_HPP

#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// Shared by the clients of exec, attach and port-forward.
namespace kftrain::kube::detail {

/// Adds the fields of a WebSocket handshake that offers these subprotocols.
void add_handshake(http_request& request, std::string const& key, std::span<std::string_view const> protocols);

/** Returns the connection of a response, which is then empty, if the server has chosen one of the subprotocols. Returns
    null otherwise; `why` receives the reason. */
std::unique_ptr<upgraded_stream> take_upgraded(std::unique_ptr<body_stream> body, std::string const& key,
                                               std::span<std::string_view const> protocols, std::string& why);

/// Ends the connection of a stream unless the step that it guards is done: nothing can follow a part of a step.
template <class Stream> class stream_guard {
public:
    explicit stream_guard(Stream& s) : of_(s) {}
    stream_guard(stream_guard const&) = delete;
    stream_guard& operator=(stream_guard const&) = delete;
    ~stream_guard() {
        if (!done_) of_.end(asio::error::operation_aborted);
    }
    void done() noexcept { done_ = true; }

private:
    Stream& of_;
    bool done_ = false;
};

/// Completes an operation of an object without a connection, which has no executor.
template <class... T> void abort_later(any_handler<void(error_code, T...)> handler) {
    auto const where = asio::get_associated_executor(handler, asio::any_completion_executor(asio::system_executor()));
    auto run = [h = std::move(handler)]() mutable {
        std::move(h)(make_error_code(asio::error::operation_aborted), T()...);
    };
    asio::post(asio::system_executor(), asio::bind_executor(where, std::move(run)));
}

} // namespace kftrain::kube::detail

#endif
