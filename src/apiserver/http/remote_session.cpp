#include "apiserver/http/remote_session.hpp"

#include "apiserver/http/exec_session.hpp"
#include "apiserver/http/port_session.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/web_socket.hpp"

namespace kftrain::apiserver {

std::shared_ptr<remote_session> make_session(asio::any_io_executor executor,
                                             std::unique_ptr<kube::upgraded_stream> stream, upgraded_call what) {
    using kube::detail::web_socket;
    using kube::detail::websocket_role;
    std::shared_ptr<web_socket> socket;
    if (what.protocol != upgrade_protocol::spdy)
        socket = std::make_shared<web_socket>(executor, std::move(stream), websocket_role::server,
                                              kube::detail::exec_message_limit);
    if (what.protocol == upgrade_protocol::tunnel) stream = kube::detail::make_web_socket_bytes(executor, socket);
    if (what.protocol != upgrade_protocol::channels) {
        auto spdy = std::make_shared<kube::detail::spdy_session>(executor, std::move(stream), websocket_role::server);
        if (!what.process) return make_port_session(std::move(spdy), std::move(what));
        auto link = make_spdy_link(std::move(spdy), what.streams);
        return std::make_shared<exec_session>(executor, std::move(link), std::move(what.process));
    }
    if (!what.process) return make_port_session(std::move(executor), std::move(socket), std::move(what));
    return std::make_shared<exec_session>(executor, make_channel_link(std::move(socket)), std::move(what.process));
}

} // namespace kftrain::apiserver
