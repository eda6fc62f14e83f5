#include "integration/kube/transport/wired_client.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(integration_https_transport_unreached)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// A server that starts TLS when its scripts do.
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
wire_server::script const never_responds = [](wire_peer& p) { p.wait_for_end(); };

} // namespace

// Failures before any byte of a request was sent.

BOOST_AUTO_TEST_CASE(failures_during_the_handshake_are_retried_for_any_method) {
    hesitant s({resets, closes, never_responds});
    BOOST_TEST(s.post(true) == "hello");
    BOOST_TEST(s.last == error_code());
    BOOST_TEST(s.server->accepted() == 4U);
    BOOST_TEST(s.request.starts_with("POST /x HTTP/1.1\r\n"));
}

BOOST_AUTO_TEST_CASE(an_unreachable_server_has_one_error_code_with_the_cause) {
    std::string const begin = "POST /x: server unreachable: ";
    hesitant s({resets, closes, never_responds});
    for (int i = 0; i < 2; ++i) {
        s.post(false);
        BOOST_TEST(s.last == make_error_code(errc::unreachable), s.last.message());
        BOOST_TEST(s.why.message.starts_with(begin), s.why.message);
        BOOST_TEST(s.why.message.size() > begin.size());
    }
    s.post(false);
    BOOST_TEST(s.last == make_error_code(errc::unreachable), s.last.message());
    BOOST_TEST(s.why.message == begin + "Connection timed out: server 127.0.0.1:" + s.server->port());
    BOOST_TEST(s.post(false) == "hello");
}

BOOST_AUTO_TEST_CASE(a_failure_names_the_server) {
    std::string port;
    {
        wire_server const gone({});
        port = gone.port();
    }
    struct {
        std::string server;
        std::string end;
    } const cases[] = {
        {"http://127.0.0.1:" + port, "GET /x: Connection refused: server 127.0.0.1:" + port},
        {"https://[::1]:" + port, ": server [::1]:" + port},
        {"http://nobody.invalid", ": server nobody.invalid:80"},
        {"HTTPS://nobody.invalid", ": server nobody.invalid:443"},
    };
    for (auto const& k : cases) {
        asio::io_context context;
        kube::config c;
        c.server = k.server;
        auto const link = kube::make_https_transport(context.get_executor(), c);
        BOOST_TEST_REQUIRE(link.has_value());
        answer_probe<std::string> p;
        diagnostics why;
        kube::client(*link).async_call(wired::request("GET", "/x"),
                                       kube::call_options().with_retry(false).with_detail(why), p.handler());
        context.run_for(20s);
        BOOST_TEST(is_unreached(p.ec()), p.ec().message());
        BOOST_TEST(why.message.ends_with(k.end), why.message);
    }
    wire_server s({[](wire_peer& p) { p.read_request(); }});
    wired w(s);
    w.get();
    BOOST_TEST(w.last == lost);
    BOOST_TEST(w.why.message == "GET /x: connection lost: server 127.0.0.1:" + s.port());
}

BOOST_AUTO_TEST_CASE(failures_before_the_handshake_are_reported_as_unreached) {
    certificate_authority ca;
    struct {
        wire_server::script peer;
        std::string cause;
    } const cases[] = {
        {[](wire_peer& p) { p.send("HTTP/1.1 400 Bad Request\r\n\r\n"); }, "wrong version number (SSL routines)"},
        {[](wire_peer& p) { p.send(std::string("\x15\x03\x03\x00\x02\x02\x28", 7)); }, // alert 40 of RFC 8446
         "alert handshake failure"},
    };
    for (auto const& k : cases) {
        wire_server s({k.peer, k.peer});
        wired w(s, trusting(ca));
        answer_probe<std::string> p;
        diagnostics why;
        kube::client(w.link).async_call(wired::request("POST", "/x", "body"), kube::call_options().with_detail(why),
                                        p.handler());
        w.run();
        BOOST_TEST(p.ec() == make_error_code(errc::tls_failed), p.ec().message());
        BOOST_TEST(is_unreached(p.ec()));
        BOOST_TEST(!is_retryable(p.ec()));
        BOOST_TEST(s.accepted() == 1U);
        BOOST_TEST(why.message.starts_with("POST /x: TLS handshake failed: "), why.message);
        BOOST_TEST(why.message.find(k.cause) != std::string::npos, why.message);
        BOOST_TEST(why.message.ends_with(": server 127.0.0.1:" + s.port()), why.message);
    }
}

BOOST_AUTO_TEST_CASE(messages_name_the_context_and_a_refusal_names_the_user) {
    auto const status = R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"Unauthorized",)"
                        R"("reason":"Unauthorized","code":401})";
    wire_server s({[&](wire_peer& p) {
        p.read_request();
        p.answer(status, "401 Unauthorized", "Content-Type: application/json\r\n");
        p.read_request();
        p.wait_for_end();
    }});
    auto c = kube::parse_kubeconfig(R"({
        clusters: [{name: c, cluster: {server: "http://127.0.0.1"}}], users: [{name: alice, user: {}}],
        contexts: [{name: prod, context: {cluster: c, user: alice}}], current-context: prod})");
    BOOST_TEST_REQUIRE(c.has_value());
    BOOST_TEST(c->context == "prod");
    wired w(s, *c);
    auto const server = ": server 127.0.0.1:" + s.port() + ", context \"prod\"";
    w.get();
    BOOST_TEST(is_unauthorized(w.last));
    BOOST_TEST(w.why.message == "Unauthorized" + server + ", user \"alice\"");
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/x"),
                                    kube::call_options().with_timeout(50ms).with_detail(w.why), p.handler());
    w.run();
    BOOST_TEST(p.ec() == make_error_code(errc::timeout));
    BOOST_TEST(w.why.message == "GET /x: not complete after 50 ms" + server + ", user \"alice\"");
}

BOOST_AUTO_TEST_CASE(a_failed_verification_is_not_retried) {
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
