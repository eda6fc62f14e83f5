#ifndef KFTRAIN_SRC_APISERVER_REST_POD_UPGRADE_HPP
#define KFTRAIN_SRC_APISERVER_REST_POD_UPGRADE_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>
#include <kftrain/kube/message.hpp>

#include "apiserver/rest/request_target.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace kftrain::apiserver {

/// How the streams of a pod share the connection that follows a response with status 101.
enum class upgrade_protocol {
    channels, ///< WebSocket messages that begin with the number of a channel
    spdy,
    tunnel ///< SPDY in the binary messages of a WebSocket
};

/// The work of an upgraded connection to a pod: a command, or connections to ports.
struct upgraded_call {
    upgraded_call() = default;

    upgrade_protocol protocol = upgrade_protocol::channels;
    std::shared_ptr<exec_process> process; ///< null: ports
    exec_request streams;                  ///< of `process`
    std::string pod, pod_uid;
    std::vector<std::uint16_t> ports; ///< with `channels`; SPDY streams name their ports
    std::function<answer<std::shared_ptr<port_connection>>(std::uint16_t)> open_port;
};

/// The protocol that client and server have agreed upon, and the fields of the response that confirms it.
struct accepted_upgrade {
    accepted_upgrade() = default;

    upgrade_protocol protocol = upgrade_protocol::channels;
    kube::http_fields fields;
};

/// Accepts an upgrade for a command, or refuses the request.
answer<accepted_upgrade> accept_for_command(kube::http_request const&);
/// The same for ports.
answer<accepted_upgrade> accept_for_ports(kube::http_request const&);
/// Reads the query parameter `ports`, which can be repeated and can be a list.
answer<std::vector<std::uint16_t>> read_ports(request_target const&);

} // namespace kftrain::apiserver

#endif
