#include "kube/credentials/oidc_token.hpp"
#include "model/scalars/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_oidc_token)

namespace kube = kftrain::kube;
using namespace kftrain::kube::detail;

namespace {

/// Without a signature that anybody could verify.
std::string token_with(std::string const& claims) {
    auto middle = kftrain::base64_encode(claims);
    while (middle.ends_with('=')) middle.pop_back();
    for (auto& c : middle) c = c == '+' ? '-' : c == '/' ? '_' : c;
    return "e30." + middle + ".c2ln";
}

kube::oidc_provider provider() {
    kube::oidc_provider p;
    p.issuer_url = "https://i";
    p.client_id = "id";
    p.refresh_token = "a+b/c";
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_expiry_of_a_token_is_read) {
    using time = obtained_credential::clock::time_point;
    BOOST_TEST((expiry_of(token_with(R"({"exp":60})")) == time(std::chrono::minutes(1))));
    BOOST_TEST((expiry_of(token_with(R"({"name":"???>>>","exp":60.5})")) == time(std::chrono::minutes(1))));
    for (std::string const text : {"", "a.b", "a.b.c", "a.!.c"}) BOOST_TEST(!expiry_of(text).has_value(), text);
    for (std::string const claims : {"{}", "[]", R"({"exp":"60"})", R"({"exp":-1})", R"({"exp":1e300})"})
        BOOST_TEST(!expiry_of(token_with(claims)).has_value(), claims);
}

BOOST_AUTO_TEST_CASE(the_token_endpoint_is_read_from_the_discovery_document) {
    auto const where = read_discovery(R"({"token_endpoint":"https://h:8443/oauth/token?x=1"})");
    BOOST_TEST_REQUIRE(where.has_value());
    BOOST_TEST(where->server == "https://h:8443");
    BOOST_TEST(where->target == "/oauth/token?x=1");
    BOOST_TEST(where->takes_basic);
    BOOST_TEST(read_discovery(R"({"token_endpoint":"https://h"})")->target == "/");
    BOOST_TEST(!read_discovery(R"({"token_endpoint":"https://h",)"
                               R"("token_endpoint_auth_methods_supported":["client_secret_post"]})")
                    ->takes_basic);
    for (std::string const text : {"", "[]", "{}", R"({"token_endpoint":"http://h"})", R"({"token_endpoint":5})",
                                   R"({"token_endpoint":"https://u:p@h"})"})
        BOOST_TEST(read_discovery(text).has_error(), text);
}

BOOST_AUTO_TEST_CASE(client_authentication_follows_the_provider) {
    token_endpoint where;
    where.target = "/token";
    auto p = provider();
    auto const open = refresh_request(where, p);
    BOOST_TEST(open.method == "POST");
    BOOST_TEST(open.target == "/token");
    BOOST_TEST(open.body == "grant_type=refresh_token&refresh_token=a%2Bb%2Fc&client_id=id");
    BOOST_TEST(open.fields.get("Authorization").empty());
    p.client_secret = "s:";
    auto const basic = refresh_request(where, p);
    BOOST_TEST(basic.body == "grant_type=refresh_token&refresh_token=a%2Bb%2Fc");
    BOOST_TEST(basic.fields.get("Authorization") == "Basic " + kftrain::base64_encode("id:s%3A"));
    where.takes_basic = false;
    BOOST_TEST(refresh_request(where, p).body ==
               "grant_type=refresh_token&refresh_token=a%2Bb%2Fc&client_id=id&client_secret=s%3A");
}

BOOST_AUTO_TEST_CASE(renewed_tokens_are_read) {
    auto const tokens = read_renewed_tokens(R"({"id_token":"t","refresh_token":"r","access_token":"a"})");
    BOOST_TEST_REQUIRE(tokens.has_value());
    BOOST_TEST(tokens->id_token == "t");
    BOOST_TEST(tokens->refresh_token == "r");
    BOOST_TEST(read_renewed_tokens(R"({"id_token":"t\n"})").error().detail.message ==
               "answered with an id_token that contains a control character");
    BOOST_TEST(read_renewed_tokens(R"({"access_token":"a"})").error().detail.message == "answered without an id_token");
}

BOOST_AUTO_TEST_SUITE_END()
