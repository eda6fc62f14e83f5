#ifndef KFTRAIN_SRC_KUBE_HTTP_PROXY_ADDRESS_HPP
#define KFTRAIN_SRC_KUBE_HTTP_PROXY_ADDRESS_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/// A proxy on the way to a server.
struct proxy_address {
    enum class protocol { http, socks5 };

    proxy_address() = default;

    protocol speaks = protocol::http;
    std::string host; ///< without brackets
    std::string port;
    std::string user;
    std::string password;
    std::string shown; ///< the URL without user and password
};

/** Both of `socks5` and `socks5h` leave the search for the server's address to the proxy. A text without a scheme speaks `http`.
    @par Errors `errc::not_supported` for other schemes, `errc::invalid_argument` for what is no such URL; passwords are not repeated.
    @par Upstream client-go `tools/clientcmd/client_config.go`, Go's `net/http` */
result<proxy_address> parse_proxy_url(std::string_view text);

} // namespace kftrain::kube::detail

#endif
