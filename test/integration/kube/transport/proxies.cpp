#include "integration/kube/transport/wired_client.hpp"

#include <boost/asio/ssl/context.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_proxies)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// A proxy that is also the target server: records its own request, and the requests that it would forward.
struct playing_proxy {
    playing_proxy() {
        auto const me = ca.issue("s", "DNS:api.test,IP:10.9.8.7,IP:fd00::7");
        tls.use_certificate_chain(asio::buffer(me.certificate));
        tls.use_private_key(asio::buffer(me.key), asio::ssl::context::pem);
    }
    void serve(wire_peer& p) {
        if (!p.start_tls(tls)) return;
        for (auto request = p.read_request(); !request.empty(); request = p.read_request()) {
            arrived.push_back(request);
            p.answer("hello");
        }
    }
    wire_server::script by_http(std::string answer = "HTTP/1.1 200 Connection established\r\n\r\n") {
        return [this, answer](wire_peer& p) {
            received = p.read_request();
            p.send(answer);
            serve(p);
        };
    }
    /// Requests user and password if the client offers them; `reply` ends the dialogue.
    wire_server::script by_socks(std::string reply) {
        return [this, reply](wire_peer& p) {
            auto const greeting = p.read_bytes(2);
            auto const methods = p.read_bytes(static_cast<unsigned char>(greeting[1]));
            bool const named = methods.find('\x02') != methods.npos;
            p.send(named ? std::string("\x05\x02", 2) : std::string("\x05\x00", 2));
            if (named) {
                who = p.read_bytes(2);
                who += p.read_bytes(static_cast<unsigned char>(who[1]) + std::size_t{1});
                who += p.read_bytes(static_cast<unsigned char>(who.back()));
                p.send(std::string("\x01\x00", 2));
            }
            received = p.read_bytes(4);
            std::size_t length = received[3] == '\x01' ? 4 : 16;
            if (received[3] == '\x03') {
                received += p.read_bytes(1);
                length = static_cast<unsigned char>(received.back());
            }
            received += p.read_bytes(length + 2);
            p.send(reply);
            serve(p);
        };
    }
    kube::config config(wire_server const& s, std::string const& scheme, std::string const& host = "api.test") const {
        auto c = trusting(ca);
        c.server = "https://" + host;
        c.proxy_url = scheme + "127.0.0.1:" + s.port();
        return c;
    }
    /// Describes the outcome of one request.
    std::string outcome_of_call(wire_server const& s, kube::config const& c) {
        wired w(s, c);
        diagnostics why;
        answer_probe<std::string> p;
        kube::client(w.link).async_call(wired::request("GET", "/x"),
                                        kube::call_options().with_retry(false).with_detail(why), p.handler());
        w.run();
        last = p.ec();
        return p.ec() ? why.message : p.value();
    }

    certificate_authority ca;
    asio::ssl::context tls{asio::ssl::context::tls_server};
    std::string received;
    std::string who;
    std::vector<std::string> arrived;
    error_code last;
};

std::string const socks_success("\x05\x00\x00\x01\x0a\x00\x00\x01\x1f\x90", 10);

} // namespace

BOOST_AUTO_TEST_CASE(a_tunnel_serves_many_requests) {
    playing_proxy proxy;
    wire_server s({proxy.by_http()});
    wired w(s, proxy.config(s, "http://us%65r:p%40ss@"));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(s.accepted() == 1U);
    auto const target = "api.test:" + s.port();
    BOOST_TEST(proxy.received == "CONNECT " + target + " HTTP/1.1\r\nHost: " + target +
                                     "\r\nProxy-Authorization: Basic dXNlcjpwQHNz\r\n\r\n");
    BOOST_TEST_REQUIRE(proxy.arrived.size() == 2U);
    BOOST_TEST(proxy.arrived[0].find("Proxy-Authorization") == std::string::npos);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(rejections_of_an_http_proxy_name_the_proxy) {
    struct {
        std::string answer;
        std::string user;
        std::string end;
    } const cases[] = {
        {"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "",
         "HTTP status 407: it requires a user and a password"},
        {"HTTP/1.1 407 Required\r\n\r\n", "u:s3cret@", "HTTP status 407: it rejected the user and password"},
        {"HTTP/1.0 403 s3cret\r\nContent-Length: 6\r\n\r\ns3cret", "u:s3cret@", "HTTP status 403"},
        {"HTTP/1.1 502 Bad Gateway\r\n\r\n", "", "HTTP status 502"},
        {"SSH-2.0-OpenSSH\r\n\r\n", "", "did not answer with HTTP"},
        {"HTTP/1.1 2xx\r\n\r\n", "", "did not answer with HTTP"},
        {"HTTP/1.1 200 OK\r\n", "", "did not answer with HTTP"},
        {"HTTP/1.1 200 OK\r\n\r\nmore", "", "sent data after its answer"},
        {std::string(20'000, 'x'), "", "did not answer with HTTP"},
    };
    for (auto const& k : cases) {
        playing_proxy proxy;
        wire_server s({[&](wire_peer& p) {
            p.read_request();
            p.send(k.answer);
        }});
        auto const text = proxy.outcome_of_call(s, proxy.config(s, "http://" + k.user));
        BOOST_TEST(proxy.last == make_error_code(errc::unreachable), text);
        BOOST_TEST(text.find(": server api.test:" + s.port() + ", through the proxy http://127.0.0.1:" + s.port() +
                             ": the proxy ") != text.npos,
                   text);
        BOOST_TEST(text.ends_with(k.end), text);
        BOOST_TEST(text.find("s3cret") == text.npos, text);
    }
}

BOOST_AUTO_TEST_CASE(an_unreachable_or_silent_proxy_is_named) {
    playing_proxy proxy;
    wire_server s({[](wire_peer& p) { p.read_request(); }});
    auto const silent = proxy.outcome_of_call(s, proxy.config(s, "http://"));
    BOOST_TEST(proxy.last == make_error_code(errc::unreachable), silent);
    BOOST_TEST(silent.ends_with("through the proxy http://127.0.0.1:" + s.port()), silent);
    auto c = proxy.config(s, "http://");
    c.proxy_url = "http://127.0.0.1:1";
    auto const absent = proxy.outcome_of_call(s, c);
    BOOST_TEST(is_unreached(proxy.last), absent);
    BOOST_TEST(absent.ends_with("through the proxy http://127.0.0.1:1"), absent);

    wire_server hanging({[](wire_peer& p) { p.read_bytes(100'000); }});
    kube::https_options o;
    o.connect_address_timeout = 30ms;
    wired w(hanging, proxy.config(hanging, "http://"), o);
    w.get();
    BOOST_TEST(w.last == make_error_code(errc::unreachable));
}

BOOST_AUTO_TEST_CASE(the_server_certificate_is_verified_through_a_proxy) {
    playing_proxy proxy;
    wire_server s({proxy.by_http()});
    auto const text = proxy.outcome_of_call(s, proxy.config(s, "http://", "other.test"));
    BOOST_TEST(text.find("certificate verify failed") != text.npos, text);
    BOOST_TEST(proxy.arrived.empty());
}

BOOST_AUTO_TEST_CASE(a_socks_proxy_receives_names_and_addresses) {
    struct {
        std::string scheme;
        std::string host;
        std::string received;
        std::string reply;
    } const cases[] = {
        {"socks5://", "api.test", std::string("\x05\x01\x00\x03\x08", 5) + "api.test", socks_success},
        {"socks5h://", "api.test", std::string("\x05\x01\x00\x03\x08", 5) + "api.test",
         std::string("\x05\x00\x00\x03\x03", 5) + "abc" + std::string("\x1f\x90", 2)},
        {"socks5://", "10.9.8.7", std::string("\x05\x01\x00\x01\x0a\x09\x08\x07", 8), socks_success},
        {"socks5://", "[fd00::7]", std::string("\x05\x01\x00\x04\xfd\x00", 6) + std::string(13, '\0') + "\x07",
         std::string("\x05\x00\x00\x04", 4) + std::string(18, '\0')},
    };
    for (auto const& k : cases) {
        playing_proxy proxy;
        wire_server s({proxy.by_socks(k.reply)});
        wired w(s, proxy.config(s, k.scheme, k.host));
        BOOST_TEST(w.get() == "hello", k.scheme + k.host);
        auto const port = std::stoul(s.port());
        BOOST_TEST((proxy.received == k.received + static_cast<char>(port >> 8U) + static_cast<char>(port & 255U)),
                   k.scheme + k.host);
        BOOST_TEST(proxy.who == "");
        w.link.reset();
    }
}

BOOST_AUTO_TEST_CASE(a_socks_proxy_receives_the_user_name) {
    playing_proxy proxy;
    wire_server s({proxy.by_socks(socks_success)});
    wired w(s, proxy.config(s, "socks5://user:pass@"));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(proxy.who == std::string("\x01\x04", 2) + "user" + "\x04" + "pass");
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(rejections_of_a_socks_proxy_name_the_proxy) {
    struct {
        std::string user;
        std::vector<std::pair<std::size_t, std::string>> dialogue; // bytes to read, answer to them
        std::string end;
    } const cases[] = {
        {"", {{3, "HT"}}, "did not answer with SOCKS 5"},
        {"", {{3, std::string("\x05\xff", 2)}}, "requires authentication"},
        {"u:s3cret@", {{4, std::string("\x05\xff", 2)}}, "does not accept a user and password"},
        {"u:s3cret@",
         {{4, std::string("\x05\x02", 2)}, {10, std::string("\x01\x01", 2)}},
         "rejected the user and password"},
        {"", {{3, std::string("\x05\x00", 2)}, {15, std::string("\x05\x05\x00\x01", 4)}}, ": connection refused"},
        {"", {{3, std::string("\x05\x00", 2)}, {15, std::string("\x05\x77\x00\x01", 4)}}, ": unknown code"},
    };
    for (auto const& k : cases) {
        playing_proxy proxy;
        wire_server s({[&](wire_peer& p) {
            for (auto const& [size, answer] : k.dialogue) {
                p.read_bytes(size);
                p.send(answer);
            }
        }});
        auto const text = proxy.outcome_of_call(s, proxy.config(s, "socks5://" + k.user));
        BOOST_TEST(proxy.last == make_error_code(errc::unreachable), text);
        BOOST_TEST(text.find(": server api.test:" + s.port() + ", through the proxy socks5://127.0.0.1:" + s.port() +
                             ": the proxy ") != text.npos,
                   text);
        BOOST_TEST(text.ends_with(k.end), text);
        BOOST_TEST(text.find("s3cret") == text.npos, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
