#include "integration/kube/credentials/credential_plugin.hpp"

#include "model/scalars/base64.hpp"

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_oidc)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// A token with a date and no signature.
std::string id_token(std::string const& name, std::string const& expiry) {
    auto claims = base64_encode(R"({"sub":")" + name + R"(","exp":)" + expiry + "}");
    while (claims.ends_with('=')) claims.pop_back();
    return "e30." + claims + "." + name;
}

std::string const past = "1000000000";
std::string const future = "32000000000";

/// A provider: its description, then what it gives for refresh tokens; every request that it got.
struct token_provider {
    wire_server::script answers(std::vector<std::string> tokens) {
        return [this, tokens = std::move(tokens)](wire_peer& p) {
            for (auto const& body : tokens) {
                requests.push_back(p.read_request());
                p.answer(R"({"issuer":"i","token_endpoint":")" + url + R"(/token?x=1"})", "200 OK",
                         "Connection: close\r\n");
                p.wait_for_end();
                p.meanwhile([&](wire_peer& q) {
                    requests.push_back(q.read_request());
                    auto const bad = body.find("error") != body.npos;
                    q.answer(body, bad ? "400 Bad Request" : "200 OK",
                             "Content-Type: application/json\r\nConnection: close\r\n");
                    q.wait_for_end();
                });
            }
        };
    }

    std::string url;
    std::vector<std::string> requests;
};

struct oidc_login {
    kube::config config(wire_server const& provider_server, std::string const& token) {
        provider.url = "https://127.0.0.1:" + provider_server.port();
        auto c = trusting(ca);
        auto& o = c.oidc.emplace();
        o.issuer_url = provider.url + "/realm";
        o.client_id = "id";
        o.client_secret = "client-s3cret";
        o.ca_pem = ca.certificate();
        o.id_token = token;
        o.refresh_token = "refresh-s3cret";
        return c;
    }
    wire_server::script notes(std::string const& good) {
        return [this, good](wire_peer& p) {
            for (auto request = p.read_request(); !request.empty(); request = p.read_request()) {
                shown.push_back(authorization_in(request));
                p.answer("hello", shown.back() == "Bearer " + good ? "200 OK" : "401 Unauthorized");
            }
        };
    }
    identity server() const { return ca.issue("s", "IP:127.0.0.1"); }

    certificate_authority ca;
    token_provider provider;
    std::vector<std::string> shown;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_valid_token_is_used_without_contacting_the_provider) {
    oidc_login login;
    auto const token = id_token("now", future);
    wire_server provider({}, login.server());
    wire_server s({login.notes(token)}, login.server());
    wired w(s, login.config(provider, token));
    BOOST_TEST(w.get() == "hello");
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(an_expired_token_is_renewed_at_the_discovered_endpoint) {
    oidc_login login;
    auto const next = id_token("next", future);
    wire_server provider({login.provider.answers({R"({"id_token":")" + next + R"(","refresh_token":"other"})"})},
                         login.server());
    wire_server s({login.notes(next)}, login.server());
    wired w(s, login.config(provider, id_token("old", past)));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(w.get() == "hello");
    auto const& requests = login.provider.requests;
    BOOST_TEST_REQUIRE(requests.size() == 2U);
    BOOST_TEST(requests[0].starts_with("GET /realm/.well-known/openid-configuration HTTP/1.1\r\n"), requests[0]);
    BOOST_TEST(requests[1].starts_with("POST /token?x=1 HTTP/1.1\r\n"), requests[1]);
    BOOST_TEST(authorization_in(requests[0]) == "none");
    BOOST_TEST(authorization_in(requests[1]) == "Basic " + base64_encode("id:client-s3cret"));
    BOOST_TEST(requests[1].ends_with("\r\n\r\ngrant_type=refresh_token&refresh_token=refresh-s3cret"), requests[1]);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(the_issuer_can_have_its_own_proxy) {
    oidc_login login;
    wire_server provider({}, login.server());
    wire_server s({}, login.server());
    auto c = login.config(provider, id_token("old", past));
    c.oidc->proxy_url = "http://127.0.0.1:1"; // no server listens there
    wired w(s, c);
    auto const text = outcome_of_call(w);
    BOOST_TEST(text.find("through the proxy http://127.0.0.1:1") != text.npos, text);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_rejected_oidc_token_is_renewed_once) {
    oidc_login login;
    auto const next = id_token("next", future);
    wire_server provider({login.provider.answers({R"({"id_token":")" + next + R"("})"})}, login.server());
    wire_server s({login.notes(next)}, login.server());
    wired w(s, login.config(provider, id_token("revoked", future)));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(login.shown.size() == 2U);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_failed_renewal_names_the_provider_and_hides_secrets) {
    struct {
        std::string body;
        std::string message;
    } const cases[] = {
        {R"({"error":"invalid_grant","error_description":"refresh-s3cret of client-s3cret"})", "HTTP status 400"},
        {R"({"access_token":"a"})", "answered without an id_token"},
    };
    for (auto const& k : cases) {
        oidc_login login;
        wire_server provider({login.provider.answers({k.body})}, login.server());
        wire_server s({answers_hello}, login.server());
        auto c = login.config(provider, id_token("old", past));
        wired w(s, c);
        diagnostics why;
        answer_probe<std::string> p;
        kube::client(w.link).async_call(wired::request("GET", "/x"), kube::call_options().with_detail(why),
                                        p.handler());
        w.run();
        BOOST_TEST(p.ec() == make_error_code(reason::unauthorized));
        auto const& text = why.message;
        BOOST_TEST(text.find("OIDC provider \"" + c.oidc->issuer_url + "\"") != text.npos, text);
        BOOST_TEST(text.find(k.message) != text.npos, text);
        BOOST_TEST(text.find("s3cret") == text.npos, text);
    }
}

BOOST_AUTO_TEST_CASE(an_expired_token_without_a_refresh_token_is_an_error) {
    oidc_login login;
    wire_server provider({}, login.server());
    wire_server s({answers_hello}, login.server());
    auto c = login.config(provider, id_token("old", past));
    c.oidc->refresh_token.clear();
    wired w(s, c);
    diagnostics why;
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/x"), kube::call_options().with_detail(why), p.handler());
    w.run();
    BOOST_TEST(p.ec() == make_error_code(reason::unauthorized));
    BOOST_TEST(
        why.message.ends_with("provided a token that has expired or was rejected, and no refresh-token is configured"),
        why.message);
    c.oidc->issuer_url = "http://127.0.0.1";
    auto const open = kube::make_https_transport(w.context.get_executor(), c);
    BOOST_TEST_REQUIRE(open.has_error());
    BOOST_TEST(open.error().detail.path == "oidc.issuer_url");
}

BOOST_AUTO_TEST_SUITE_END()
