#include "local/sandbox/netlink.hpp"

#include "local/sandbox/channel.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <type_traits>

namespace kftrain::local::sandbox {

std::uint32_t to_ipv4(std::string const& text, std::string const& what) {
    in_addr address{};
    if (::inet_pton(AF_INET, text.c_str(), &address) != 1)
        throw std::invalid_argument(what + ": expected an IPv4 address, got \"" + text + "\"");
    return address.s_addr;
}

/// One rtnetlink message under construction.
class netlink::request {
public:
    template <class Body> request(std::uint16_t type, std::uint16_t flags, Body const& body) {
        nlmsghdr head{};
        head.nlmsg_type = type;
        head.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
        raw(head);
        raw(body);
    }

    template <class T> request& raw(T const& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<char const*>(&value), sizeof value);
        pad();
        return *this;
    }
    request& add(std::uint16_t type, std::string_view data) {
        rtattr head{};
        head.rta_type = type;
        head.rta_len = static_cast<std::uint16_t>(sizeof head + data.size());
        raw(head);
        bytes_.append(data);
        pad();
        return *this;
    }
    request& add(std::uint16_t type, std::uint32_t value) {
        return add(type, std::string_view(reinterpret_cast<char const*>(&value), sizeof value));
    }
    request& add_name(std::uint16_t type, std::string const& name) {
        return add(type, std::string_view(name.c_str(), name.size() + 1));
    }
    std::size_t open(std::uint16_t type) {
        auto const at = bytes_.size();
        add(type, std::string_view{});
        return at;
    }
    void close(std::size_t at) {
        auto const length = static_cast<std::uint16_t>(bytes_.size() - at);
        std::memcpy(bytes_.data() + at + offsetof(rtattr, rta_len), &length, sizeof length);
    }
    std::string const& finish(std::uint32_t sequence) {
        auto const length = static_cast<std::uint32_t>(bytes_.size());
        std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
        std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_seq), &sequence, sizeof sequence);
        return bytes_;
    }

private:
    void pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0'); }
    std::string bytes_;
};

namespace {

// Derived from the address, so that a neighbour's table stays right when an address is given to a new pod.
std::string hardware_address(std::uint32_t ipv4) {
    std::array<char, 6> mac{0x02, 0x4b};
    std::memcpy(mac.data() + 2, &ipv4, sizeof ipv4);
    return {mac.data(), mac.size()};
}

ifinfomsg link_message(int index = 0, unsigned flags = 0) {
    ifinfomsg body{};
    body.ifi_family = AF_UNSPEC;
    body.ifi_index = index;
    body.ifi_flags = flags;
    body.ifi_change = flags;
    return body;
}

constexpr std::uint16_t create = NLM_F_CREATE | NLM_F_EXCL;

} // namespace

netlink::netlink()
    : socket_(check(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), "open a route netlink socket")) {}

int netlink::index_of(std::string const& link) const {
    unique_fd const any(check(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "open a socket"));
    ifreq interface{};
    link.copy(static_cast<char*>(interface.ifr_name), IFNAMSIZ - 1);
    check(::ioctl(any.get(), SIOCGIFINDEX, &interface), "find network link \"" + link + "\"");
    return interface.ifr_ifindex;
}

void netlink::transact(request& message, std::string const& step) {
    auto const sequence = ++sequence_;
    auto const& bytes = message.finish(sequence);
    check(::send(socket_.get(), bytes.data(), bytes.size(), 0), step);
    for (;;) {
        alignas(nlmsghdr) std::array<char, 8192> buffer{};
        auto const size = check(::recv(socket_.get(), buffer.data(), buffer.size(), 0), step);
        nlmsghdr head{};
        if (static_cast<std::size_t>(size) < sizeof head) continue;
        std::memcpy(&head, buffer.data(), sizeof head);
        if (head.nlmsg_seq != sequence || head.nlmsg_type != NLMSG_ERROR) continue;
        nlmsgerr answer{};
        std::memcpy(&answer, buffer.data() + NLMSG_HDRLEN, sizeof answer);
        if (answer.error == 0) return;
        errno = -answer.error;
        fail(step);
    }
}

void netlink::set_up(std::string const& link) {
    request message(RTM_NEWLINK, 0, link_message(index_of(link), IFF_UP));
    transact(message, "bring network link \"" + link + "\" up");
}

void netlink::add_bridge(std::string const& name, std::uint32_t address) {
    request message(RTM_NEWLINK, create, link_message());
    message.add_name(IFLA_IFNAME, name);
    message.add(IFLA_ADDRESS, hardware_address(address)); // else it changes with the first pod that joins
    auto const info = message.open(IFLA_LINKINFO);
    message.add_name(IFLA_INFO_KIND, "bridge");
    message.close(info);
    transact(message, "create network bridge \"" + name + "\"");
}

void netlink::add_veth(std::string const& name, std::string const& bridge, std::string const& peer,
                       std::uint32_t peer_address, pid_t pid) {
    request message(RTM_NEWLINK, create, link_message(0, IFF_UP));
    message.add_name(IFLA_IFNAME, name);
    message.add(IFLA_MASTER, static_cast<std::uint32_t>(index_of(bridge)));
    auto const info = message.open(IFLA_LINKINFO);
    message.add_name(IFLA_INFO_KIND, "veth");
    auto const data = message.open(IFLA_INFO_DATA);
    auto const other = message.open(VETH_INFO_PEER);
    message.raw(link_message());
    message.add_name(IFLA_IFNAME, peer);
    message.add(IFLA_ADDRESS, hardware_address(peer_address));
    message.add(IFLA_NET_NS_PID, static_cast<std::uint32_t>(pid));
    message.close(other);
    message.close(data);
    message.close(info);
    transact(message, "create network link pair \"" + name + "\" and \"" + peer + "\"");
}

void netlink::add_address(std::string const& link, std::uint32_t address, unsigned prefix_length) {
    ifaddrmsg body{};
    body.ifa_family = AF_INET;
    body.ifa_prefixlen = static_cast<std::uint8_t>(prefix_length);
    body.ifa_scope = RT_SCOPE_UNIVERSE;
    body.ifa_index = static_cast<std::uint32_t>(index_of(link));
    request message(RTM_NEWADDR, create, body);
    message.add(IFA_LOCAL, address).add(IFA_ADDRESS, address);
    message.add(IFA_BROADCAST, address | ~htonl(~0U << (32 - prefix_length)));
    transact(message, "add an address to network link \"" + link + "\"");
}

void netlink::add_default_route(std::uint32_t gateway) {
    rtmsg body{};
    body.rtm_family = AF_INET;
    body.rtm_table = RT_TABLE_MAIN;
    body.rtm_protocol = RTPROT_BOOT;
    body.rtm_scope = RT_SCOPE_UNIVERSE;
    body.rtm_type = RTN_UNICAST;
    request message(RTM_NEWROUTE, create, body);
    message.add(RTA_GATEWAY, gateway);
    transact(message, "add a default route");
}

void netlink::remove_link(std::string const& name) {
    request message(RTM_DELLINK, 0, link_message());
    message.add_name(IFLA_IFNAME, name);
    try {
        transact(message, "remove network link \"" + name + "\"");
    } catch (std::system_error const& e) {
        if (e.code().value() != ENODEV) throw;
    }
}

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
