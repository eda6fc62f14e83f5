#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_PROXY_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_PROXY_HPP

#include "kube/http/proxy_address.hpp"
#include "kube/transport/connection_pool.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>

namespace kftrain::kube::detail {

/** Lets the proxy at the other end of `socket` connect to `host`: what is sent afterwards goes there. If it does not,
    `fault` is the code, and as text what the proxy responded. All must live until then.
    @par Upstream RFC 9110 §9.3.6; RFC 1928, RFC 1929 */
asio::awaitable<void> pass_through(asio::ip::tcp::socket& socket, proxy_address const& proxy, std::string const& host,
                                   std::string const& port, connect_fault& fault);

} // namespace kftrain::kube::detail

#endif
