#ifndef KFTRAIN_SRC_LOCAL_DNS_NAME_SERVER_HPP
#define KFTRAIN_SRC_LOCAL_DNS_NAME_SERVER_HPP

#include <kftrain/kube/informer.hpp>
#include <kftrain/objects/core/service.hpp>

#include "local/dns/dns_message.hpp"

#include <boost/asio/ip/udp.hpp>

#include <memory>

namespace kftrain::local {

/** Resolves the names of services and pods for the pods of a node, as the DNS of a cluster does:
    `<service>.<namespace>.svc.cluster.local` for the ready pods of a service, `<host name>.<service>...` for those that
    name this host name and, as subdomain, this service. Knows no other names.
    @par Upstream kubernetes/dns `docs/specification.md` */
class name_server : public std::enable_shared_from_this<name_server> {
public:
    /// Adopts a bound UDP socket. The informers must outlive this.
    name_server(boost::asio::any_io_executor executor, int udp_socket, kube::informer<pod> const& pods,
                kube::informer<service> const& services);

    void start();
    void stop();

private:
    void receive();
    std::optional<std::vector<ipv4>> lookup(std::string_view name) const;

    boost::asio::ip::udp::socket socket_;
    boost::asio::ip::udp::endpoint peer_;
    std::array<char, 1500> buffer_{};
    kube::informer<pod> const& pods_;
    kube::informer<service> const& services_;
};

/// The addresses of the pods that a service stands for: matching, with an address, and ready.
std::optional<std::vector<ipv4>> resolve(std::string_view name, std::vector<std::shared_ptr<pod const>> const& pods,
                                         std::vector<std::shared_ptr<service const>> const& services);

} // namespace kftrain::local

#endif
