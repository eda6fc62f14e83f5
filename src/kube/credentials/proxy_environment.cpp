#include "kube/http/transport_request.hpp"

#include <kftrain/kube/default_config.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube {
namespace {

namespace ip = boost::asio::ip;

std::string lower_case(std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

std::optional<ip::address> address_of(std::string_view s) {
    if (s.starts_with('[') && s.ends_with(']')) s = s.substr(1, s.size() - 2);
    boost::system::error_code ec;
    auto address = ip::make_address(std::string(s), ec);
    if (ec) return {};
    return address;
}

/// Whether the address lies in a network like `10.0.0.0/8`.
bool lies_in(ip::address const& address, std::string const& network) {
    boost::system::error_code ec;
    if (address.is_v4()) {
        auto const net = ip::make_network_v4(network, ec).canonical();
        return !ec && ip::network_v4(address.to_v4(), net.prefix_length()).canonical() == net;
    }
    auto const net = ip::make_network_v6(network, ec).canonical();
    return !ec && ip::network_v6(address.to_v6(), net.prefix_length()).canonical() == net;
}

/// One entry of NO_PROXY against one server.
bool matches(std::string_view entry, std::string const& host, std::string_view port,
             std::optional<ip::address> const& address) {
    if (entry == "*") return true;
    if (entry.find('/') != std::string_view::npos) return address && lies_in(*address, std::string(entry));
    if (auto const whole = address_of(entry)) return address && *whole == *address;
    if (auto const colon = entry.rfind(':'); colon != std::string_view::npos) {
        if (entry.substr(colon + 1) != port) return false;
        entry = entry.substr(0, colon);
        if (auto const whole = address_of(entry)) return address && *whole == *address;
    }
    if (entry.starts_with("*.")) entry.remove_prefix(1);
    if (entry.empty() || address) return false;
    if (entry.starts_with('.')) return host.ends_with(entry);
    return host == entry || host.ends_with("." + std::string(entry));
}

bool is_excluded(std::string const& list, std::string const& host, std::string_view port) {
    auto const address = address_of(host);
    if (host == "localhost" || (address && address->is_loopback())) return true;
    std::string_view rest = list;
    while (!rest.empty()) {
        auto const end = std::min(rest.find(','), rest.size());
        auto entry = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
        while (!entry.empty() && entry.back() == ' ') entry.remove_suffix(1);
        if (!entry.empty() && matches(entry, host, port, address)) return true;
    }
    return false;
}

} // namespace

std::string proxy_of(environment const& env, std::string_view server) {
    auto const either = [&](char const* upper, char const* lower) {
        for (auto const* name : {upper, lower})
            if (auto const found = env.find(std::string_view(name)); found != env.end() && !found->second.empty())
                return found->second;
        return std::string();
    };
    auto const url = detail::parse_server_url(server, true);
    if (!url) return {};
    // A web server hands the field Proxy of a request to its programs under the upper-case name.
    bool const is_cgi = env.find(std::string_view("REQUEST_METHOD")) != env.end();
    auto proxy =
        url->tls ? either("HTTPS_PROXY", "https_proxy") : either(is_cgi ? "http_proxy" : "HTTP_PROXY", "http_proxy");
    auto host = lower_case(url->host);
    while (host.ends_with('.')) host.pop_back();
    return proxy.empty() || is_excluded(lower_case(either("NO_PROXY", "no_proxy")), host, url->port) ? std::string()
                                                                                                     : proxy;
}

} // namespace kftrain::kube
