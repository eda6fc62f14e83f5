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

/** Parses the URL of a proxy. With `socks5` and `socks5h` the proxy looks up the address of the server. The default
    scheme is `http`.
    @par Errors `errc::not_supported` for other schemes, `errc::invalid_argument` for a text that is not a URL; messages
    do not contain passwords.
    @par Upstream client-go `tools/clientcmd/client_config.go`, Go's `net/http` */
result<proxy_address> parse_proxy_url(std::string_view text);

} // namespace kftrain::kube::detail

#endif
