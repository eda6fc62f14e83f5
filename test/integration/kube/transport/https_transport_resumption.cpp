#include "integration/kube/transport/wired_client.hpp"

#include <boost/asio/error.hpp>

#include <openssl/ssl.h>

#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_https_transport_resumption)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// Serves TLS by its scripts, one answer on each connection, and notes which connections resumed a session.
struct resuming {
    resuming() { identify(tls, ca.issue("s", "IP:127.0.0.1")); }
    ~resuming() { end(); }

    static void identify(asio::ssl::context& context, identity const& me) {
        context.use_certificate_chain(asio::buffer(me.certificate));
        context.use_private_key(asio::buffer(me.key), asio::ssl::context::pem);
    }
    wire_server::script answers(asio::ssl::context& context) {
        return [&](wire_peer& p) {
            bool const agreed = p.start_tls(context);
            resumed += !agreed ? '-' : p.is_resumed() ? 'r' : 'n';
            if (!agreed || p.read_request().empty()) return;
            p.answer("hello", "200 OK", "Connection: close\r\n");
            p.wait_for_end();
        };
    }
    wire_server::script answers() { return answers(tls); }
    /// Keeps the connection and sends nothing.
    wire_server::script hangs() {
        return [this](wire_peer& p) { held.push_back(p.duplicate()); };
    }
    void serve(std::vector<wire_server::script> scripts) {
        auto c = trusting(ca);
        c.insecure_skip_tls_verify = !verifies;
        if (!verifies) c.ca_pem.clear();
        server.emplace(std::move(scripts));
        client.emplace(*server, c, options);
    }
    void get(answer_probe<std::string>& p) {
        kube::client(client->link)
            .async_call(wired::request("GET", "/"), kube::call_options().with_retry(false), p.handler());
    }
    std::string get() { return client->get(); }
    /// Returns the requests that the server received; the server has nothing more to do.
    std::string seen() {
        end();
        return resumed;
    }
    void end() {
        client.reset(); // or the server waits for its end
        server.reset();
        for (int const fd : held) ::close(fd);
        held.clear();
    }

    certificate_authority ca;
    asio::ssl::context tls{asio::ssl::context::tls_server};
    bool verifies = true;
    kube::https_options options;
    std::string resumed; // by connection: n new, r resumed, - no handshake
    std::vector<int> held;
    std::optional<wire_server> server;
    std::optional<wired> client;
};

void rotate_ticket_key(asio::ssl::context& context, char with) {
    std::vector<char> key(80, with);
    SSL_CTX_set_tlsext_ticket_keys(context.native_handle(), key.data(), key.size());
}

} // namespace

BOOST_AUTO_TEST_CASE(later_connections_resume_the_tls_session) {
    for (int const version : {TLS1_3_VERSION, TLS1_2_VERSION}) {
        resuming s;
        SSL_CTX_set_max_proto_version(s.tls.native_handle(), version);
        s.serve({s.answers(), s.answers(), s.answers()});
        for (int i = 0; i < 3; ++i) BOOST_TEST(s.get() == "hello");
        BOOST_TEST(s.seen() == "nrr");
    }
}

BOOST_AUTO_TEST_CASE(sessions_without_verification_are_not_resumed) {
    resuming s;
    s.verifies = false;
    s.serve({s.answers(), s.answers()});
    for (int i = 0; i < 2; ++i) BOOST_TEST(s.get() == "hello");
    BOOST_TEST(s.seen() == "nn");
}

BOOST_AUTO_TEST_CASE(an_unknown_ticket_falls_back_to_a_full_handshake) {
    resuming s;
    auto const rotates = [&](wire_peer& p) {
        rotate_ticket_key(s.tls, 'b');
        s.answers()(p);
    };
    rotate_ticket_key(s.tls, 'a');
    s.serve({s.answers(), s.answers(), rotates, s.answers()});
    for (int i = 0; i < 4; ++i) BOOST_TEST(s.get() == "hello");
    BOOST_TEST(s.server->accepted() == 4U);
    BOOST_TEST(s.seen() == "nrnr");
}

BOOST_AUTO_TEST_CASE(a_server_that_fails_on_a_ticket_gets_a_full_handshake) {
    resuming s;
    SSL_CTX_set_verify(s.tls.native_handle(), SSL_VERIFY_PEER, nullptr); // without a session id context: an error
    s.serve({s.answers(), s.answers(), s.answers()});
    for (int i = 0; i < 2; ++i) BOOST_TEST(s.get() == "hello");
    BOOST_TEST(s.seen() == "n-n");
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_on_a_ticket_gets_none_the_next_time) {
    resuming s;
    s.options.handshake_timeout = 50ms;
    s.serve({s.answers(), s.hangs(), s.answers()});
    BOOST_TEST(s.get() == "hello");
    s.get();
    BOOST_TEST(s.client->last == make_error_code(errc::unreachable));
    BOOST_TEST(s.get() == "hello");
    BOOST_TEST(s.seen() == "nn");
}

BOOST_AUTO_TEST_CASE(a_ticket_is_not_offered_to_another_server) {
    resuming s;
    asio::ssl::context other(asio::ssl::context::tls_server);
    resuming::identify(other, s.ca.issue("s", "IP:127.0.0.2"));
    s.serve({s.answers(), s.answers(other), s.answers(other), s.answers()});
    BOOST_TEST(s.get() == "hello");
    s.get();
    BOOST_TEST(s.client->last.message().find("certificate verify failed") != std::string::npos);
    BOOST_TEST(s.get() == "hello");
}

BOOST_AUTO_TEST_CASE(a_burst_of_connections_waits_for_the_first_session) {
    resuming s;
    s.options.first_connection_wait = 20s;
    s.serve({s.answers(), s.answers(), s.answers(), s.answers()});
    std::vector<answer_probe<std::string>> all(4);
    for (auto& p : all) s.get(p);
    s.client->run();
    for (auto& p : all) BOOST_TEST((p.called() && !p.ec() && p.value() == "hello"));
    BOOST_TEST(s.seen() == "nrrr");
}

BOOST_AUTO_TEST_CASE(a_hanging_first_connection_does_not_block_the_others) {
    resuming s;
    s.options.first_connection_wait = 20ms;
    s.serve({s.hangs(), s.answers(), s.answers(), s.answers()});
    answer_probe<std::string> first, second, third;
    s.get(first);
    s.client->run(50ms); // it has begun
    s.get(second);
    while (!second.called()) s.client->run(5ms);
    BOOST_TEST(second.value() == "hello");
    BOOST_TEST(!first.called());
    s.get(third);
    while (!third.called()) s.client->run(5ms);
    BOOST_TEST(!first.called());
    first.cancel();
    s.client->run();
    BOOST_TEST(first.ec() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_failed_first_connection_releases_the_others) {
    resuming s;
    s.options.first_connection_wait = 20s;
    s.serve({[](wire_peer& p) { p.reset(); }, s.answers(), s.answers()});
    std::vector<answer_probe<std::string>> all(3);
    for (auto& p : all) s.get(p);
    s.client->run(10s);
    unsigned broken = 0;
    for (auto& p : all) {
        BOOST_TEST(p.called());
        broken += p.ec() == make_error_code(errc::unreachable) ? 1 : 0;
    }
    BOOST_TEST(broken == 1U);
}

BOOST_AUTO_TEST_CASE(the_wait_for_the_first_connection_can_be_cancelled_and_destroyed) {
    resuming s;
    s.options.first_connection_wait = 20s;
    s.options.handshake_timeout = 20s;
    s.serve({s.hangs()});
    answer_probe<std::string> first, cancelled, abandoned;
    s.get(first);
    s.get(cancelled);
    s.get(abandoned);
    s.client->run(20ms);
    cancelled.cancel();
    while (!cancelled.called()) s.client->run(5ms);
    BOOST_TEST(cancelled.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(!first.called());
    BOOST_TEST(!abandoned.called());
    s.client.reset(); // the transport, then the io_context with both that are left
    BOOST_TEST(!abandoned.called());
}

BOOST_AUTO_TEST_CASE(a_server_without_tickets_works) {
    resuming s;
    s.options.first_connection_wait = 5ms;
    SSL_CTX_set_num_tickets(s.tls.native_handle(), 0);
    s.serve({s.answers(), s.answers(), s.answers()});
    for (int i = 0; i < 3; ++i) BOOST_TEST(s.get() == "hello");
    BOOST_TEST(s.seen() == "nnn");
}

BOOST_AUTO_TEST_SUITE_END()
