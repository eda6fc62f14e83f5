#include "integration/kube/transport/wired_client.hpp"

#include <boost/asio/error.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(integration_https_transport_tls)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(a_server_certificate_matches_by_address_or_name) {
    certificate_authority ca;
    std::string request;
    auto const notes = [&](wire_peer& p) {
        request = p.read_request();
        p.answer("hello");
        answers_hello(p);
    };
    wire_server by_address({notes}, ca.issue("s", "IP:127.0.0.1"));
    auto c = trusting(ca);
    c.token = "secret";
    wired w(by_address, c);
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(by_address.accepted() == 1U);
    BOOST_TEST(request.find("\r\nAuthorization: Bearer secret\r\n") != std::string::npos);
    w.link.reset();

    wire_server by_name({answers_hello}, ca.issue("s", "DNS:api.test"));
    c = trusting(ca);
    c.tls_server_name = "api.test";
    wired x(by_name, c);
    BOOST_TEST(x.get() == "hello");
    x.link.reset();
}

BOOST_AUTO_TEST_CASE(certificates_of_other_servers_are_rejected) {
    certificate_authority ca, other("other CA");
    struct {
        identity server;
        std::string name;
        std::string trusted;
    } const cases[] = {
        {ca.issue("s", "IP:127.0.0.1"), "", other.certificate()},           // another authority
        {ca.issue("s", "IP:127.0.0.2"), "", ca.certificate()},              // another address
        {ca.issue("s", "DNS:127.0.0.1"), "", ca.certificate()},             // an address is no name
        {ca.issue("s", "DNS:api.test"), "web.test", ca.certificate()},      // another name
        {ca.issue("api.test", ""), "api.test", ca.certificate()},           // the subject does not count
        {ca.issue("s", "DNS:a*.in.test"), "api.in.test", ca.certificate()}, // partial wildcards neither
    };
    for (auto const& k : cases) {
        wire_server s({answers_hello}, k.server);
        auto c = trusting(ca);
        c.ca_pem = k.trusted;
        c.tls_server_name = k.name;
        wired w(s, c);
        w.get();
        BOOST_TEST(w.last);
        BOOST_TEST(std::string(w.last.category().name()) == "asio.ssl");
        BOOST_TEST(w.last.message().find("certificate verify failed") != std::string::npos, w.last.message());
    }
}

// Go trusts every certificate of the bundle, with any signature.
BOOST_AUTO_TEST_CASE(any_certificate_of_the_bundle_is_a_trust_anchor) {
    certificate_authority const root("root"), inner("inner", root);
    auto const leaf = inner.issue("s", "IP:127.0.0.1");
    auto chained = leaf;
    chained.certificate += inner.certificate();
    auto wrong_name = inner.issue("s", "IP:127.0.0.2");
    struct {
        identity server;
        std::string trusted;
        bool accepted;
    } const cases[] = {
        {chained, root.certificate(), true},         {chained, inner.certificate(), true},
        {leaf, inner.certificate(), true},           {leaf, leaf.certificate, true},
        {wrong_name, wrong_name.certificate, false}, // its name counts all the same
        {leaf, root.certificate(), false},
    };
    for (auto const& k : cases) {
        wire_server s({answers_hello}, k.server);
        auto c = trusting(root);
        c.ca_pem = k.trusted;
        wired w(s, c);
        BOOST_TEST((w.get() == "hello") == k.accepted, w.last.message());
        w.link.reset();
    }
}

BOOST_AUTO_TEST_CASE(authorities_with_the_same_name_are_all_tried) {
    certificate_authority const before("kubernetes"), now("kubernetes"), after("kubernetes");
    auto const leaf = now.issue("s", "IP:127.0.0.1"); // without the id of the key that signed it
    for (auto const& bundle : {before.certificate() + now.certificate() + after.certificate(),
                               now.certificate() + before.certificate() + after.certificate(),
                               after.certificate() + before.certificate() + now.certificate()}) {
        wire_server s({answers_hello}, leaf);
        auto c = trusting(now);
        c.ca_pem = bundle;
        wired w(s, c);
        BOOST_TEST(w.get() == "hello", w.why.message);
        w.link.reset();
    }
    wire_server s({answers_hello}, leaf);
    auto c = trusting(now);
    c.ca_pem = before.certificate() + after.certificate();
    wired w(s, c);
    w.get();
    BOOST_TEST(w.last.message().find("certificate verify failed") != std::string::npos, w.last.message());
}

// As AppendCertsFromPEM of Go does.
BOOST_AUTO_TEST_CASE(other_pem_blocks_in_the_bundle_are_skipped) {
    certificate_authority const ca, other("other CA");
    auto const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    wire_server s({answers_hello}, ca.issue("s", "IP:127.0.0.1"));
    auto c = trusting(ca);
    c.ca_pem = other.certificate() + broken + "# the next one\n" + ca.issue("a", "").key + ca.certificate();
    wired w(s, c);
    BOOST_TEST(w.get() == "hello", w.why.message);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_verification_failure_names_the_server_and_the_reason) {
    certificate_authority const ca, other("other CA");
    auto const form = [](long begins_in, long ends_in) {
        certificate_form f;
        f.begins_in = begins_in;
        f.ends_in = ends_in;
        return f;
    };
    constexpr long day = 24L * 60 * 60;
    std::string const names = "DNS:kubernetes,DNS:kubernetes.default,IP:10.96.0.1,IP:fd00::1";
    struct {
        identity server;
        std::string name;
        std::string reason;
    } const cases[] = {
        {ca.issue("s", "IP:127.0.0.1", form(-2 * day, -day)), "", "the certificate of the server expired at 20"},
        {ca.issue("s", "IP:127.0.0.1", form(day, 2 * day)), "", "the certificate of the server is not valid before 20"},
        {ca.issue("s", names), "",
         "the certificate of the server is not valid for \"127.0.0.1\", only for kubernetes, kubernetes.default, "
         "10.96.0.1, fd00::1"},
        {ca.issue("s", names), "api.test",
         "the certificate of the server is not valid for \"api.test\", only for kubernetes, "},
        {ca.issue("s", ""), "",
         "the certificate of the server is not valid for \"127.0.0.1\": it has no subject alternative names"},
        {other.issue("s", "IP:127.0.0.1"), "",
         "the certificate of the server is signed by an unknown authority, \"CN=other CA\""},
    };
    for (auto const& k : cases) {
        wire_server s({answers_hello}, k.server);
        auto c = trusting(ca);
        c.tls_server_name = k.name;
        wired w(s, c);
        w.get();
        auto const begin = "GET /x: certificate verify failed (SSL routines): server 127.0.0.1:" + s.port() + ": ";
        BOOST_TEST(w.why.message.starts_with(begin + k.reason), w.why.message);
        BOOST_TEST(is_unreached(w.last)); // nothing of the request was sent
        BOOST_TEST(!is_retryable(w.last));
    }
}

BOOST_AUTO_TEST_CASE(a_tls_server_name_that_cannot_be_verified_is_rejected) {
    certificate_authority const ca;
    asio::io_context context;
    auto c = trusting(ca);
    c.server = "https://127.0.0.1:1";
    for (auto const& name : {std::string("fe80::1%1"), std::string(300, 'a')}) {
        c.tls_server_name = name;
        auto const link = kube::make_https_transport(context.get_executor(), c);
        BOOST_TEST_REQUIRE(!link);
        BOOST_TEST(link.error().code == make_error_code(errc::invalid_argument));
        BOOST_TEST(link.error().detail.path == "tls_server_name");
        BOOST_TEST(link.error().detail.message.find(name) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(only_the_configured_authorities_are_trusted) {
    certificate_authority ca, other("other CA");
    wire_server s({answers_hello}, other.issue("s", "IP:127.0.0.1"));
    auto c = trusting(ca);
    c.ca_pem += other.certificate(); // every certificate of the bundle counts
    wired w(s, c);
    BOOST_TEST(w.get() == "hello");
    w.link.reset();

    wire_server t({answers_hello}, ca.issue("s", "DNS:elsewhere"));
    kube::config blind;
    blind.server = "https://127.0.0.1";
    blind.insecure_skip_tls_verify = true;
    wired x(t, blind);
    BOOST_TEST(x.get() == "hello");
    x.link.reset();

    wire_server u({answers_hello}, ca.issue("s", "IP:127.0.0.1"));
    kube::config system;
    system.server = "https://127.0.0.1"; // trusts what the system trusts
    wired y(u, system);
    y.get();
    BOOST_TEST(y.last);
}

BOOST_AUTO_TEST_CASE(the_client_certificate_is_sent) {
    certificate_authority ca, client_ca("client CA");
    auto const me = client_ca.issue("admin", "");
    wire_server s({answers_hello, answers_hello}, ca.issue("s", "IP:127.0.0.1"), client_ca.certificate());
    auto c = trusting(ca);
    wired without(s, c);
    without.get();
    BOOST_TEST(without.last);
    c.client_certificate_pem = me.certificate;
    c.client_key_pem = me.key;
    wired with(s, c);
    BOOST_TEST(with.get() == "hello");
    with.link.reset();
}

BOOST_AUTO_TEST_CASE(unusable_certificates_and_keys_are_refused) {
    certificate_authority ca;
    auto const me = ca.issue("a", ""), you = ca.issue("b", "");
    asio::io_context context;
    auto const refuses = [&](kube::config const& c, std::string const& path) {
        auto const made = kube::make_https_transport(context.get_executor(), c);
        BOOST_TEST_REQUIRE(made.has_error(), path);
        BOOST_TEST(made.error().detail.path == path);
    };
    auto c = trusting(ca);
    c.ca_pem = "nonsense";
    refuses(c, "ca_pem");
    c = trusting(ca);
    c.client_certificate_pem = me.certificate;
    refuses(c, "client_key_pem");
    c.client_key_pem = you.key;
    refuses(c, "client_key_pem");
    certificate_form rsa;
    rsa.rsa = true;
    c.client_key_pem = ca.issue("c", "", rsa).key; // OpenSSL would take it, and show no certificate
    refuses(c, "client_key_pem");
    c.client_certificate_pem = ca.issue("c", "", rsa).certificate;
    c.client_key_pem = me.key;
    refuses(c, "client_key_pem");
    c.client_certificate_pem = "nonsense";
    refuses(c, "client_certificate_pem");
    c = trusting(ca);
    c.token_file = "/nowhere/token";
    refuses(c, "token_file");
}

BOOST_AUTO_TEST_CASE(a_handshake_that_hangs_times_out) {
    wire_server s({[](wire_peer& p) { p.wait_for_end(); }});
    certificate_authority ca;
    kube::https_options o;
    o.handshake_timeout = 30ms;
    wired w(s, trusting(ca), o);
    w.get();
    BOOST_TEST(w.last == make_error_code(errc::unreachable));
}

BOOST_AUTO_TEST_SUITE_END()
