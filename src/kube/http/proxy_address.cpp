#include "kube/http/proxy_address.hpp"

#include "base/ascii.hpp"
#include "base/failure_at.hpp"
#include "kube/http/config_text.hpp"
#include "kube/http/redaction.hpp"

#include <boost/url/parse.hpp>

#include <utility>

namespace kftrain::kube::detail {
namespace {

failure bad_proxy(std::string message, errc code = errc::invalid_argument) {
    return failure_at("proxy_url", std::move(message), code);
}

} // namespace

result<proxy_address> parse_proxy_url(std::string_view text) {
    std::string full(text);
    if (full.find("://") == std::string::npos) full.insert(0, "http://");
    auto const shown = without_userinfo(text);
    auto const parsed = boost::urls::parse_uri(full);
    // The parser takes text after "host:" that is not a port for a path.
    bool const odd = parsed && !parsed->encoded_path().empty() && !parsed->encoded_path().starts_with('/');
    if (!parsed || odd || parsed->encoded_host().empty() || !is_host(parsed->host_address()))
        return bad_proxy("expected a URL like http://proxy:3128, got \"" + shown + "\"");
    auto const scheme = to_lower(parsed->scheme());
    bool const socks = scheme == "socks5" || scheme == "socks5h";
    if (scheme != "http" && !socks)
        return bad_proxy("expected a proxy with the scheme http, socks5 or socks5h, got \"" + shown + "\"",
                         errc::not_supported);
    if (parsed->has_port() && !parsed->port().empty() && !is_port(parsed->port()))
        return bad_proxy("expected a port from 1 to 65535, got \"" + shown + "\"");
    proxy_address proxy;
    proxy.speaks = socks ? proxy_address::protocol::socks5 : proxy_address::protocol::http;
    proxy.host = parsed->host_address();
    proxy.port = parsed->has_port() && !parsed->port().empty() ? std::string(parsed->port())
                                                               : std::string(socks ? "1080" : "80");
    proxy.user = parsed->user();
    proxy.password = parsed->password();
    if (socks && (proxy.user.size() > 255 || proxy.password.size() > 255)) // a length of one byte
        return bad_proxy("expected a user and a password of at most 255 bytes each for \"" + shown + "\"");
    proxy.shown = scheme + "://" + std::string(parsed->encoded_host()) + ":" + proxy.port;
    return proxy;
}

} // namespace kftrain::kube::detail
