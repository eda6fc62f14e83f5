#ifndef KFTRAIN_SRC_KUBE_EXEC_WEB_SOCKET_BYTES_HPP
#define KFTRAIN_SRC_KUBE_EXEC_WEB_SOCKET_BYTES_HPP

#include "kube/exec/web_socket.hpp"

#include <memory>

namespace kftrain::kube::detail {

/** Returns the connection that the messages of a WebSocket carry: each message is a piece of it. It cannot be
    cancelled, only closed. */
std::unique_ptr<upgraded_stream> make_web_socket_bytes(asio::any_io_executor executor,
                                                       std::shared_ptr<web_socket> socket);

} // namespace kftrain::kube::detail

#endif
