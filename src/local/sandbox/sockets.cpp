#include "local/sandbox/sockets.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/netlink.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>

namespace kftrain::local::sandbox {

unique_fd open_socket(boost::json::object const& request) {
    auto const protocol = text_of(request, "protocol");
    if (protocol != "tcp" && protocol != "tcp6" && protocol != "udp")
        throw std::invalid_argument("protocol: expected tcp, tcp6 or udp, got \"" + protocol + "\"");
    int const family = protocol == "tcp6" ? AF_INET6 : AF_INET;
    int const type = protocol == "udp" ? SOCK_DGRAM : SOCK_STREAM;
    return unique_fd(check(::socket(family, type | SOCK_CLOEXEC, 0), "open a " + protocol + " socket"));
}

unique_fd open_listener(boost::json::object const& request) {
    auto const port = number_of(request, "port");
    if (port < 0 || port > 65535) throw std::invalid_argument("port: expected 0 to 65535, got " + std::to_string(port));
    auto const address = text_of(request, "address");
    auto const step = "listen on " + address + ":" + std::to_string(port);
    auto socket = open_socket(request);
    int const on = 1;
    bool const tcp = text_of(request, "protocol") == "tcp";
    if (tcp) check(::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), step);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(port));
    where.sin_addr.s_addr = to_ipv4(address, "address");
    check(::bind(socket.get(), reinterpret_cast<sockaddr const*>(&where), sizeof where), step);
    if (tcp) check(::listen(socket.get(), SOMAXCONN), step);
    return socket;
}

} // namespace kftrain::local::sandbox
