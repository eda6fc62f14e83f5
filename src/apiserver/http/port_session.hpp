#ifndef KFTRAIN_SRC_APISERVER_HTTP_PORT_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_PORT_SESSION_HPP

#include "apiserver/http/remote_session.hpp"
#include "kube/exec/web_socket.hpp"
#include "kube/streams/spdy_session.hpp"

#include <memory>

namespace kftrain::apiserver {

/** One connection for each of the ports, as channels of a WebSocket: for the port at index i, channel 2i has its bytes
    and channel 2i+1 the reason of a failure. Their first messages have the number of the port. A channel cannot be
    closed: the WebSocket closes when the pod has ended the last connection.
    @par Upstream kubernetes v1.31 `staging/src/k8s.io/kubelet/pkg/cri/streaming/portforward/websocket.go` */
std::shared_ptr<remote_session> make_port_session(asio::any_io_executor executor,
                                                  std::shared_ptr<kube::detail::web_socket> socket, upgraded_call what);

/** Connections to ports as pairs of streams of a SPDY connection, as many as the client opens.
    @par Upstream kubernetes v1.31 `staging/src/k8s.io/kubelet/pkg/cri/streaming/portforward/httpstream.go` */
std::shared_ptr<remote_session> make_port_session(std::shared_ptr<kube::detail::spdy_session> spdy, upgraded_call what);

} // namespace kftrain::apiserver

#endif
