#include "integration/wired_client.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(integration_https_transport_unreached)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// A server that speaks TLS when its scripts say so.
struct hesitant {
    explicit hesitant(std::vector<wire_server::script> before) {
        auto const me = ca.issue("s", "IP:127.0.0.1");
        tls.use_certificate_chain(asio::buffer(me.certificate));
        tls.use_private_key(asio::buffer(me.key), asio::ssl::context::pem);
        before.emplace_back([this](wire_peer& p) {
            if (!p.start_tls(tls)) return;
            request = p.read_request();
            p.answer("hello");
            answers_hello(p);
        });
        server.emplace(std::move(before));
        kube::https_options o;
        o.handshake_timeout = 50ms;
        client.emplace(*server, trusting(ca), o);
    }
    std::string post(bool retry) {
        answer_probe<std::string> p;
        kube::client(client->link)
            .async_call(wired::request("POST", "/x", "body"), kube::call_options().with_retry(retry).with_detail(why),
                        p.handler());
        client->run();
        last = p.ec();
        return p.ec() ? std::string() : p.value();
    }
    ~hesitant() { client.reset(); } // or the server waits for its end

    certificate_authority ca;
    asio::ssl::context tls{asio::ssl::context::tls_server};
    std::string request;
    std::optional<wire_server> server;
    std::optional<wired> client;
    diagnostics why;
    error_code last;
};

wire_server::script const resets = [](wire_peer& p) { p.reset(); };
wire_server::script const closes = [](wire_peer&) {};
wire_server::script const says_nothing = [](wire_peer& p) { p.wait_for_end(); };

} // namespace

// What fails before anything of a request was sent.

BOOST_AUTO_TEST_CASE(what_breaks_during_the_handshake_is_repeated_with_any_method) {
    hesitant s({resets, closes, says_nothing});
    BOOST_TEST(s.post(true) == "hello");
    BOOST_TEST(s.last == error_code());
    BOOST_TEST(s.server->accepted() == 4U);
    BOOST_TEST(s.request.starts_with("POST /x HTTP/1.1\r\n"));
}

BOOST_AUTO_TEST_CASE(it_bears_one_name_and_tells_the_cause) {
    std::string const begin = "POST /x: server not reached: ";
    hesitant s({resets, closes, says_nothing});
    for (int i = 0; i < 2; ++i) {
        s.post(false);
        BOOST_TEST(s.last == make_error_code(errc::unreachable), s.last.message());
        BOOST_TEST(s.why.message.starts_with(begin), s.why.message);
        BOOST_TEST(s.why.message.size() > begin.size());
    }
    s.post(false);
    BOOST_TEST(s.last == make_error_code(errc::unreachable), s.last.message());
    BOOST_TEST(s.why.message == begin + "Connection timed out");
    BOOST_TEST(s.post(false) == "hello");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_believed_is_not_tried_again) {
    certificate_authority ca, other("other CA");
    wire_server s({answers_hello, answers_hello}, other.issue("s", "IP:127.0.0.1"));
    {
        wired w(s, trusting(ca));
        answer_probe<std::string> p;
        kube::client(w.link).async_call(wired::request("POST", "/x", "body"), kube::call_options(), p.handler());
        w.run();
        BOOST_TEST(std::string(p.ec().category().name()) == "asio.ssl", p.ec().message());
        BOOST_TEST(s.accepted() == 1U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
