#include "kube/http/header_fields.hpp"
#include "kube/http/proxy_address.hpp"
#include "kube/http/transport_request.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_identities)

namespace kube = kftrain::kube;
using namespace kftrain::kube::detail;

namespace {

std::string lines_of(kube::http_fields const& fields) {
    std::string out;
    for (auto const& [name, value] : fields) out += name + ": " + value + "\n";
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(impersonation_is_sent_in_fields) {
    kube::impersonation who;
    who.with_user("jane").with_uid("7").with_groups({"g", "h"});
    who.extra["acme.com/project%x"] = {"a", "b"};
    kube::http_fields fields;
    BOOST_TEST_REQUIRE(add_impersonation(who, fields).has_value());
    BOOST_TEST(lines_of(fields) == "Impersonate-User: jane\nImpersonate-Uid: 7\nImpersonate-Group: g\n"
                                   "Impersonate-Group: h\nImpersonate-Extra-acme.com%2Fproject%25x: a\n"
                                   "Impersonate-Extra-acme.com%2Fproject%25x: b\n");
    BOOST_TEST_REQUIRE(add_impersonation(kube::impersonation().with_user("other"), fields).has_value());
    BOOST_TEST(lines_of(fields).find("other") == std::string::npos); // the request has its own field
}

BOOST_AUTO_TEST_CASE(impersonation_requires_a_user_name) {
    kube::http_fields fields;
    BOOST_TEST_REQUIRE(add_impersonation(kube::impersonation(), fields).has_value());
    BOOST_TEST(lines_of(fields) == "");
    auto const r = add_impersonation(kube::impersonation().with_groups({"g"}), fields);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(r.error().to_string() == "as.user: uid, groups and extra of an impersonation require a user");
}

BOOST_AUTO_TEST_CASE(fields_of_a_request_win_and_line_breaks_are_escaped) {
    kube::http_request r;
    r.method = "GET";
    r.target = "/";
    server_url const server;
    kube::http_fields own;
    own.add("Impersonate-User", "jane");
    BOOST_TEST(write_request(r, server, "", own)->find("Impersonate-User: jane\r\n") != std::string::npos);
    kube::http_fields bad;
    bad.add("Impersonate-User", "jane\r\nX: y");
    BOOST_TEST(write_request(r, server, "", bad).has_error());
    r.fields.add("Impersonate-User", "joe");
    auto const text = *write_request(r, server, "", own);
    BOOST_TEST(text.find("joe") != text.npos);
    BOOST_TEST(text.find("jane") == text.npos);
}

BOOST_AUTO_TEST_CASE(urls_of_proxies_are_read) {
    struct {
        char const* url;
        char const* host;
        char const* port;
        bool socks;
        char const* shown;
    } const cases[] = {
        {"http://p:3128", "p", "3128", false, "http://p:3128"},
        {"p.test", "p.test", "80", false, "http://p.test:80"},
        {"10.0.0.1:8080", "10.0.0.1", "8080", false, "http://10.0.0.1:8080"},
        {"socks5://[fd00::1]", "fd00::1", "1080", true, "socks5://[fd00::1]:1080"},
        {"socks5h://u:p%40ss@p:1", "p", "1", true, "socks5h://p:1"},
    };
    for (auto const& k : cases) {
        auto const p = parse_proxy_url(k.url);
        BOOST_TEST_REQUIRE(p.has_value(), k.url);
        BOOST_TEST(p->host == k.host);
        BOOST_TEST(p->port == k.port);
        BOOST_TEST((p->speaks == proxy_address::protocol::socks5) == k.socks);
        BOOST_TEST(p->shown == k.shown);
    }
    BOOST_TEST(parse_proxy_url("socks5h://u:p%40ss@p:1")->password == "p@ss");
    for (std::string const url : {"https://u:s3cret@p", "ftp://u:s3cret@p", "http://", "http://u:s3cret@p:0",
                                  "http://u:s3cret@p:port", "http://u:s3cret@p q"}) {
        auto const p = parse_proxy_url(url);
        BOOST_TEST_REQUIRE(p.has_error(), url);
        BOOST_TEST(p.error().to_string().find("s3cret") == std::string::npos, p.error().to_string());
        BOOST_TEST(p.error().detail.path == "proxy_url");
    }
}

BOOST_AUTO_TEST_SUITE_END()
