#include "support/temporary_directory.hpp"

#include <kftrain/kube/default_config.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_default_config)

namespace kube = kftrain::kube;
namespace fs = std::filesystem;

namespace {

/// Files that go with the test.
struct home : kftrain::test::temporary_directory {
    void become_pod() const {
        write("pod/token", "abc\n");
        write("pod/ca.crt", "the CA");
        write("pod/namespace", "team-a");
    }
    kube::default_config_options options() const {
        return kube::default_config_options().with_service_account_directory((path / "pod").string());
    }
};

std::string cluster(std::string const& name, std::string const& server, std::string const& more = "") {
    return "clusters:\n- {name: " + name + ", cluster: {server: \"" + server + "\"" + more + "}}\n";
}
std::string context(std::string const& name, std::string const& of_cluster) {
    return "contexts:\n- {name: " + name + ", context: {cluster: " + of_cluster + "}}\n";
}

kube::environment const in_pod{{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}};

std::string outcome(kftrain::result<kube::config> const& c) { return c ? c->server : c.error().to_string(); }

} // namespace

BOOST_AUTO_TEST_CASE(the_first_entry_of_a_name_wins_as_a_whole) {
    home const h;
    auto const a = h.write("a", cluster("c", "https://first") + "current-context: x\n");
    auto const b = h.write("b", cluster("c", "https://second", ", tls-server-name: api") + context("x", "c") +
                                    "current-context: other\n");
    auto const c = kube::load_kubeconfigs({a, b});
    BOOST_TEST_REQUIRE(outcome(c) == "https://first");
    BOOST_TEST(c->tls_server_name == "");
    BOOST_TEST(outcome(kube::load_kubeconfigs({b, a})) ==
               "contexts: no entry has the name \"other\" (in the kubeconfig \"" + b + "\", \"" + a + "\")");
}

BOOST_AUTO_TEST_CASE(the_proxy_for_an_issuer_depends_on_its_address) {
    home const h;
    auto const file = h.write(
        "oidc", cluster("c", "https://h.inside") +
                    "users:\n- {name: u, user: {auth-provider: {name: oidc, config: {idp-issuer-url: "
                    "\"https://login.example\", "
                    "client-id: i, refresh-token: r}}}}\ncontexts:\n- {name: x, context: {cluster: c, user: u}}\n"
                    "current-context: x\n");
    auto const chosen = kube::default_config_options().with_kubeconfig(file);
    auto const c = kube::default_config({{"HTTPS_PROXY", "http://p:1"}, {"NO_PROXY", ".inside"}}, chosen);
    BOOST_TEST_REQUIRE(outcome(c) == "https://h.inside");
    BOOST_TEST(c->proxy_url == "");
    BOOST_TEST(c->oidc->proxy_url.value_or("none") == "http://p:1");
    auto const d = kube::default_config({{"HTTPS_PROXY", "http://p:1"}, {"NO_PROXY", "login.example"}}, chosen);
    BOOST_TEST(d->proxy_url == "http://p:1");
    BOOST_TEST(d->oidc->proxy_url.value_or("none") == "");
    BOOST_TEST(!kube::load_kubeconfig(file)->oidc->proxy_url.has_value());
}

BOOST_AUTO_TEST_CASE(relative_paths_are_those_of_the_file_that_holds_them) {
    home const h;
    h.write("one/ca.pem", "first CA");
    h.write("two/ca.pem", "second CA");
    auto const a = h.write("one/config", context("x", "c") + "current-context: x\n");
    auto const b = h.write("two/config", cluster("c", "https://h", ", certificate-authority: ca.pem"));
    auto const c = kube::load_kubeconfigs({a, b});
    BOOST_TEST_REQUIRE(outcome(c) == "https://h");
    BOOST_TEST(c->ca_pem == "second CA");
    BOOST_TEST(c->ca_file == (h.path / "two" / "ca.pem").string());
}

BOOST_AUTO_TEST_CASE(missing_files_are_ignored_and_all_bad_files_are_named) {
    home const h;
    auto const good = h.write("good", cluster("c", "https://h") + context("x", "c") + "current-context: x\n");
    auto const missing = (h.path / "missing").string();
    BOOST_TEST(outcome(kube::load_kubeconfigs({missing, "", good, good})) == "https://h");
    BOOST_TEST(outcome(kube::load_kubeconfigs({missing})) == "none of these files exists: \"" + missing + "\"");
    BOOST_TEST(outcome(kube::load_kubeconfigs({})) == "expected the name of a kubeconfig, got none");
    auto const bad = h.write("bad", "clusters: 5\n"), twice = h.write("twice", "users:\n- {name: u}\n- {name: u}\n");
    auto const text = outcome(kube::load_kubeconfigs({bad, good, twice}));
    auto const in = [](std::string const& name) { return "(in the kubeconfig \"" + name + "\")"; };
    BOOST_TEST(text.starts_with("clusters: "), text);
    BOOST_TEST(text.find(in(bad) + " (line 1, column 11); users: \"u\" is defined twice " + in(twice)) != text.npos,
               text);
    BOOST_TEST(text.find(in(good)) == text.npos, text);
    BOOST_TEST(outcome(kube::load_kubeconfig(twice)) == "users: \"u\" is defined twice " + in(twice));
}

BOOST_AUTO_TEST_CASE(kubeconfig_precedes_home_and_home_the_in_cluster_configuration) {
    home const h;
    auto const of = [&](std::string const& name) {
        return cluster("c", "https://" + name) + context("x", "c") + "current-context: x\n";
    };
    h.become_pod();
    auto env = in_pod;
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://10.0.0.1:443");
    env["HOME"] = h.path.string();
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://10.0.0.1:443"); // there is no file
    h.write(".kube/config", of("home"));
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://home");
    env["KUBECONFIG"] = (h.path / "missing").string() + ":" + h.write("listed", of("listed"));
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://listed");
    env["KUBECONFIG"] = (h.path / "missing").string();
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://10.0.0.1:443"); // not that of HOME
    env["KUBECONFIG"] = h.write("empty", "apiVersion: v1\nkind: Config\n");
    BOOST_TEST(outcome(kube::default_config(env, h.options())) == "https://10.0.0.1:443");
    auto const named = h.write("named", of("named"));
    BOOST_TEST(outcome(kube::default_config(env, h.options().with_kubeconfig(named))) == "https://named");
    BOOST_TEST(outcome(kube::default_config(env, h.options().with_kubeconfig("/nowhere/config"))) ==
               "cannot read the kubeconfig \"/nowhere/config\": No such file or directory");
}

BOOST_AUTO_TEST_CASE(the_variable_POD_NAMESPACE_replaces_the_namespace_of_the_service_account) {
    home const h;
    h.become_pod();
    BOOST_TEST(kube::default_config(in_pod, h.options())->namespace_ == "team-a");
    auto env = in_pod;
    env["POD_NAMESPACE"] = "team-b";
    auto const c = kube::default_config(env, h.options());
    BOOST_TEST(c->namespace_ == "team-b");
    BOOST_TEST(c->ca_file == (h.path / "pod" / "ca.crt").string());
}

BOOST_AUTO_TEST_CASE(an_error_names_all_places_where_nothing_was_found) {
    home const h;
    auto const text = outcome(kube::default_config({}, h.options()));
    BOOST_TEST(text.find("neither KUBECONFIG nor HOME is set") != text.npos, text);
    BOOST_TEST(text.find("does not run in a pod") != text.npos, text);
    auto const of_home = outcome(kube::default_config({{"HOME", h.path.string()}}, h.options()));
    BOOST_TEST(of_home.find((h.path / ".kube" / "config").string()) != of_home.npos, of_home);
    h.become_pod(); // a pod has no context
    auto const missing = outcome(kube::default_config(in_pod, h.options().with_context("x")));
    BOOST_TEST(missing.starts_with("context: no context has the name \"x\""), missing);
}

BOOST_AUTO_TEST_CASE(proxies_of_the_environment_serve_where_the_kubeconfig_names_none) {
    home const h;
    auto const plain = h.write("plain", cluster("c", "https://h") + context("x", "c") + "current-context: x\n");
    auto const own = h.write("own", cluster("c", "https://h", ", proxy-url: \"socks5://own\"") + context("x", "c") +
                                        "current-context: x\n");
    kube::environment const env{{"HTTPS_PROXY", "http://p:3128"}, {"NO_PROXY", "*"}};
    auto with = env;
    with["NO_PROXY"] = "elsewhere";
    BOOST_TEST(kube::default_config(with, h.options().with_kubeconfig(plain))->proxy_url == "http://p:3128");
    BOOST_TEST(kube::default_config(env, h.options().with_kubeconfig(plain))->proxy_url == "");
    BOOST_TEST(kube::default_config(env, h.options().with_kubeconfig(own))->proxy_url == "socks5://own");
}

BOOST_AUTO_TEST_CASE(no_proxy_excludes_what_it_names) {
    struct {
        char const* server;
        char const* excluded;
        bool by_proxy;
    } const cases[] = {
        {"https://api.example.com", "", true},
        {"https://api.example.com", "example.com", false},
        {"https://example.com", "example.com", false},
        {"https://notexample.com", "example.com", true},
        {"https://example.com", ".example.com", true},
        {"https://api.example.com", ".example.com", false},
        {"https://api.example.com", "*.example.com", false},
        {"https://API.Example.COM.", "example.com", false},
        {"https://api.example.com:6443", "example.com:6443", false},
        {"https://api.example.com:6443", "example.com:443", true},
        {"https://api.example.com", "example.com:443", false},
        {"https://api.example.com", "*", false},
        {"https://api.example.com", " a.test , example.com ", false},
        {"https://10.1.2.3:6443", "10.0.0.0/8", false},
        {"https://11.1.2.3:6443", "10.0.0.0/8", true},
        {"https://10.1.2.3", "10.1.2.3", false},
        {"https://10.1.2.3", "10.1.2.4", true},
        {"https://10.1.2.3:6443", "10.1.2.3:6443", false},
        {"https://10.1.2.3:6443", "10.1.2.3:443", true},
        {"https://10.1.2.3", "2.3", true}, // an address has no domain
        {"https://[fd00::5]:6443", "fd00::/8", false},
        {"https://[fd00::5]:6443", "fe00::/8,10.0.0.0/8", true},
        {"https://[fd00::5]:6443", "fd00::5", false},
        {"https://[fd00::5]:6443", "[fd00::5]:6443", false},
        {"https://10.1.2.3", "10.0.0.0/99, nonsense/", true},
        {"https://localhost:6443", "", false},
        {"https://127.0.0.1:6443", "", false},
        {"https://[::1]:6443", "", false},
    };
    for (auto const& k : cases) {
        kube::environment const env{{"HTTPS_PROXY", "http://p"}, {"NO_PROXY", k.excluded}};
        BOOST_TEST((kube::proxy_of(env, k.server) == (k.by_proxy ? "http://p" : "")),
                   std::string(k.server) + " beside NO_PROXY=" + k.excluded);
    }
}

BOOST_AUTO_TEST_CASE(upper_case_variables_win_and_each_scheme_has_its_proxy) {
    kube::environment const both{{"HTTPS_PROXY", "http://upper"}, {"https_proxy", "http://lower"}, {"HTTP_PROXY", "h"}};
    BOOST_TEST(kube::proxy_of(both, "https://a.test") == "http://upper");
    BOOST_TEST(kube::proxy_of(both, "http://a.test") == "h");
    BOOST_TEST(kube::proxy_of({{"https_proxy", "http://lower"}}, "a.test") == "http://lower");
    BOOST_TEST(kube::proxy_of({{"HTTPS_PROXY", "p"}, {"no_proxy", "a.test"}}, "https://a.test") == "");
    BOOST_TEST(kube::proxy_of({{"HTTP_PROXY", "evil"}, {"REQUEST_METHOD", "GET"}}, "http://a.test") == "");
}

BOOST_AUTO_TEST_CASE(process_environment_returns_the_variables) {
    ::setenv("KFTRAIN_TEST_VARIABLE", "a=b", 1);
    auto const env = kube::process_environment();
    ::unsetenv("KFTRAIN_TEST_VARIABLE");
    BOOST_TEST_REQUIRE(env.contains("KFTRAIN_TEST_VARIABLE"));
    BOOST_TEST(env.at("KFTRAIN_TEST_VARIABLE") == "a=b");
}

BOOST_AUTO_TEST_SUITE_END()
