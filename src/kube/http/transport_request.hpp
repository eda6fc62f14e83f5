#ifndef KFTRAIN_SRC_KUBE_HTTP_TRANSPORT_REQUEST_HPP
#define KFTRAIN_SRC_KUBE_HTTP_TRANSPORT_REQUEST_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/message.hpp>

#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/// Where requests of a transport go.
struct server_url {
    server_url() = default;

    bool tls = false;
    std::string host; ///< to connect to; an IPv6 address stands without brackets
    std::string port;
    std::string authority; ///< as the Host field wants it
    std::string prefix;    ///< path before every target, without a slash at its end
};

/** Without a scheme the server speaks TLS if `secrets` are configured for it.
    @par Upstream client-go `rest/url_utils.go` */
result<server_url> parse_server_url(std::string_view text, bool secrets);

/** Returns the bytes of a request. `authorization` may be empty. The request's own Authorization and Impersonate fields
    replace `authorization` and `impersonated`.
    @par Errors `errc::invalid_argument` for text that would break the syntax of HTTP. */
result<std::string> write_request(http_request const& r, server_url const& server, std::string_view authorization,
                                  http_fields const& impersonated = {});

} // namespace kftrain::kube::detail

#endif
