#include "kube/http/transport_request.hpp"

#include <kftrain/kube/config.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_config_secrets)

namespace kube = kftrain::kube;

namespace {

std::string file(std::string const& user) {
    return "apiVersion: v1\nkind: Config\ncurrent-context: a\n"
           "clusters:\n- {name: c, cluster: {server: \"https://h\"}}\nusers:\n- name: u\n  user:\n    " +
           user + "\ncontexts:\n- {name: a, context: {cluster: c, user: u}}\n";
}

} // namespace

/// Messages about faults of a configuration do not contain its secrets.

BOOST_AUTO_TEST_CASE(faults_of_a_user_are_reported_without_its_values) {
    for (std::string const user :
         {"token: 7364738291", "token: *s3cretvalue", "token: !!binary s3cretvalue!", "token: [s3cretvalue]",
          "token: {s3cretvalue: 1}", "token: \"s3cretvalue", "token: 's3cretvalue' s3cretvalue",
          "token: s3cretvalue: s3cretvalue", "token: @s3cretvalue", "token: `s3cretvalue", "token: %s3cretvalue",
          "token: \"\\s3cretvalue\"", "client-key-data: s3cretvalue!", "client-key-data: [7364738291]",
          "client-key: \"-----BEGIN PRIVATE KEY-----\\ns3cretvalue\"", "password: s3cretvalue", "password: 7364738291",
          "{token: s3cretvalue", "? [s3cretvalue]\n    : x"}) {
        auto const c = kube::parse_kubeconfig(file(user));
        BOOST_TEST_REQUIRE(!c.has_value(), user);
        auto const text = c.error().to_string();
        BOOST_TEST(text.find("s3cret") == text.npos, text);
        BOOST_TEST(text.find("7364") == text.npos, text);
        BOOST_TEST((c.error().detail.line != 0 || !c.error().detail.path.empty()), text);
    }
}

BOOST_AUTO_TEST_CASE(a_user_and_a_password_in_a_url_are_refused_and_not_repeated) {
    for (std::string const url :
         {"https://user:s3cret@h:6443", "https://s3cret@h", "user:s3cret@h", "https://u:s3/cret@s3cret@h",
          "ftp://u:s3cret@h", "https://u:s3cret@h:port", "https://u:s3%63ret@h"}) {
        auto const parsed = kube::detail::parse_server_url(url, true);
        BOOST_TEST_REQUIRE(!parsed.has_value(), url);
        auto const text = parsed.error().to_string();
        BOOST_TEST(text.find("s3") == text.npos, text);
        BOOST_TEST(text.starts_with("server: "), text);
        BOOST_TEST(text.find("[hidden]@h") != text.npos, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
