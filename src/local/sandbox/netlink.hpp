#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_NETLINK_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_NETLINK_HPP

#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>

namespace kftrain::local::sandbox {

/// An IPv4 address in network byte order; throws `std::invalid_argument` naming `what` when the text is none.
std::uint32_t to_ipv4(std::string const& text, std::string const& what);

/** Sets up links, addresses and routes of the network namespace in which it was constructed.
    Each call waits for the kernel's answer and throws `std::system_error` naming the step. */
class netlink {
public:
    netlink();

    void set_up(std::string const& link);
    void add_bridge(std::string const& name, std::uint32_t address);
    /// A pair of links: `name` here, attached to `bridge` and up; the other end is `peer` in the namespace of `pid`.
    void add_veth(std::string const& name, std::string const& bridge, std::string const& peer,
                  std::uint32_t peer_address, pid_t pid);
    void add_address(std::string const& link, std::uint32_t address, unsigned prefix_length);
    void add_default_route(std::uint32_t gateway);
    /// Does nothing when the link is gone already.
    void remove_link(std::string const& name);

private:
    class request;
    int index_of(std::string const& link) const;
    void transact(request&, std::string const& step);

    unique_fd socket_;
    std::uint32_t sequence_ = 0;
};

/// The bridge that connects the pods of a node, and its own address: the pods' default route.
inline constexpr char const* bridge_name = "kft0";
inline constexpr char const* bridge_address = "10.244.0.1";
inline constexpr unsigned pod_prefix_length = 16;

/// Request `listen`: a socket of this network namespace, bound, and listening when it is TCP.
unique_fd open_listener(boost::json::object const& request);

/// Request `socket`: an unconnected socket. It stays in this network namespace wherever it is connected from.
unique_fd open_socket(boost::json::object const& request);

} // namespace kftrain::local::sandbox

#endif
