#include "kube/transport/transport_proxy.hpp"

#include "model/scalars/base64.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace kftrain::kube::detail {
namespace {

using tcp = asio::ip::tcp;

constexpr std::size_t longest_head_of_proxy = 16 * 1024;

void refuse_way(connect_fault& fault, std::string const& what) {
    fault.ec = errc::unreachable;
    fault.refusal = "the proxy " + what;
}

asio::awaitable<void> send_all(tcp::socket& socket, std::string const& bytes, error_code& ec) {
    co_await asio::async_write(socket, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, ec));
}

/// Exactly so many bytes, into the front of `into`.
asio::awaitable<void> receive(tcp::socket& socket, std::string& into, std::size_t bytes, error_code& ec) {
    into.assign(bytes, '\0');
    co_await asio::async_read(socket, asio::buffer(into), asio::redirect_error(asio::use_awaitable, ec));
}

/// The status of an answer; 0 for what is no HTTP.
unsigned status_of(std::string_view head) {
    unsigned status = 0;
    if (!head.starts_with("HTTP/1.") || head.size() < 12 || head[8] != ' ') return 0;
    auto const [end, ec] = std::from_chars(head.data() + 9, head.data() + 12, status);
    return ec == std::errc() && end == head.data() + 12 ? status : 0;
}

asio::awaitable<void> connect_by_http(tcp::socket& socket, proxy_address const& proxy, std::string const& target,
                                      connect_fault& fault) {
    std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
    if (!proxy.user.empty() || !proxy.password.empty())
        request += "Proxy-Authorization: Basic " + base64_encode(proxy.user + ":" + proxy.password) + "\r\n";
    request += "\r\n";
    co_await send_all(socket, request, fault.ec);
    std::string head;
    std::array<char, 1024> buffer{};
    auto end = std::string::npos;
    while (!fault.ec && end == std::string::npos && head.size() < longest_head_of_proxy) {
        std::size_t const n =
            co_await socket.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, fault.ec));
        head.append(buffer.data(), n);
        end = head.find("\r\n\r\n");
    }
    if (fault.ec && head.empty()) co_return;
    auto const status = status_of(head);
    if (status == 0 || end == std::string::npos) co_return refuse_way(fault, "did not answer with HTTP");
    if (status < 200 || status > 299) {
        std::string what = "answered CONNECT " + target + " with HTTP status " + std::to_string(status);
        if (status == 407)
            what += proxy.user.empty() ? ": it requires a user and a password" : ": it rejected the user and password";
        co_return refuse_way(fault, what);
    }
    // A server speaks after its client: these bytes are not of the server.
    if (end + 4 != head.size()) refuse_way(fault, "sent data after its answer");
}

std::string_view reply_text(unsigned code) {
    constexpr std::array<std::string_view, 9> texts{"succeeded",
                                                    "general failure",
                                                    "connection not allowed",
                                                    "network unreachable",
                                                    "host unreachable",
                                                    "connection refused",
                                                    "time to live expired",
                                                    "command not supported",
                                                    "address type not supported"};
    return code < texts.size() ? texts[code] : "unknown code";
}

/// How SOCKS names the server.
std::string socks_address(std::string const& host, std::string const& port) {
    error_code ec;
    auto const address = asio::ip::make_address(host, ec);
    std::string out;
    auto const append = [&](auto const& bytes) {
        for (auto const b : bytes) out += static_cast<char>(b);
    };
    if (ec) {
        out.append(1, '\x03').append(1, static_cast<char>(host.size())).append(host);
    } else if (address.is_v4()) {
        out.append(1, '\x01');
        append(address.to_v4().to_bytes());
    } else {
        out.append(1, '\x04');
        append(address.to_v6().to_bytes());
    }
    std::uint16_t number = 0;
    std::from_chars(port.data(), port.data() + port.size(), number);
    return out.append(1, static_cast<char>(number >> 8U)).append(1, static_cast<char>(number & 255U));
}

/// Negotiates the method of authentication with the proxy.
asio::awaitable<void> negotiate_method(tcp::socket& socket, proxy_address const& proxy, connect_fault& fault) {
    bool const known = !proxy.user.empty();
    std::string const greeting = known ? std::string("\x05\x02\x00\x02", 4) : std::string("\x05\x01\x00", 3);
    std::string reply;
    co_await send_all(socket, greeting, fault.ec);
    if (!fault.ec) co_await receive(socket, reply, 2, fault.ec);
    if (fault.ec) co_return;
    if (reply[0] != '\x05') co_return refuse_way(fault, "did not answer with SOCKS 5");
    if (reply[1] == '\x00') co_return;
    if (reply[1] != '\x02' || !known)
        co_return refuse_way(fault, known ? "does not accept a user and password" : "requires authentication");
    std::string who(1, '\x01');
    who.append(1, static_cast<char>(proxy.user.size())).append(proxy.user);
    who.append(1, static_cast<char>(proxy.password.size())).append(proxy.password);
    co_await send_all(socket, who, fault.ec);
    if (!fault.ec) co_await receive(socket, reply, 2, fault.ec);
    if (!fault.ec && reply[1] != '\x00') refuse_way(fault, "rejected the user and password");
}

asio::awaitable<void> connect_by_socks(tcp::socket& socket, proxy_address const& proxy, std::string const& host,
                                       std::string const& port, std::string const& target, connect_fault& fault) {
    if (host.size() > 255) co_return refuse_way(fault, "does not support names of more than 255 bytes");
    co_await negotiate_method(socket, proxy, fault);
    std::string const request = std::string("\x05\x01\x00", 3) + socks_address(host, port);
    std::string reply;
    if (!fault.ec) co_await send_all(socket, request, fault.ec);
    if (!fault.ec) co_await receive(socket, reply, 4, fault.ec);
    if (fault.ec) co_return;
    auto const code = static_cast<unsigned char>(reply[1]);
    if (reply[0] != '\x05') co_return refuse_way(fault, "did not answer with SOCKS 5");
    if (code != 0) co_return refuse_way(fault, "could not connect to " + target + ": " + std::string(reply_text(code)));
    // The address from which it connected is not needed.
    std::size_t left = reply[3] == '\x01' ? 6 : 18;
    if (reply[3] == '\x03') {
        co_await receive(socket, reply, 1, fault.ec);
        if (fault.ec) co_return;
        left = static_cast<unsigned char>(reply[0]) + std::size_t{2};
    }
    co_await receive(socket, reply, left, fault.ec);
}

} // namespace

asio::awaitable<void> pass_through(tcp::socket& socket, proxy_address const& proxy, std::string const& host,
                                   std::string const& port, connect_fault& fault) {
    std::string const target = (host.find(':') != std::string::npos ? "[" + host + "]" : host) + ":" + port;
    if (proxy.speaks == proxy_address::protocol::http)
        co_await connect_by_http(socket, proxy, target, fault);
    else
        co_await connect_by_socks(socket, proxy, host, port, target, fault);
}

} // namespace kftrain::kube::detail
