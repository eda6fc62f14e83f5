#include <kftrain/kube/config.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_config)

namespace kube = kftrain::kube;
namespace fs = std::filesystem;
using kftrain::errc;

namespace {

/// A directory that goes with the test.
struct directory {
    directory() {
        std::string name = (fs::temp_directory_path() / "kftrain-config-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~directory() { fs::remove_all(path); }
    void write(std::string const& name, std::string const& text) const { std::ofstream(path / name) << text; }
    fs::path path;
};

std::string file(std::string const& cluster, std::string const& user) {
    return "apiVersion: v1\nkind: Config\ncurrent-context: a\npreferences: {}\n"
           "clusters:\n- name: c\n  cluster: {" +
           cluster + "}\nusers:\n- name: u\n  user: {" + user +
           "}\ncontexts:\n- name: a\n  context: {cluster: c, user: u}\n"
           "- name: b\n  context: {cluster: c, user: u, namespace: team-b}\n"
           "- name: lost\n  context: {cluster: none, user: u}\n";
}

std::string error(kftrain::result<kube::config> const& c) { return c ? "none" : c.error().to_string(); }

} // namespace

BOOST_AUTO_TEST_CASE(takes_the_current_context) {
    auto const c = kube::parse_kubeconfig(
        file("server: \"https://h:6443\", certificate-authority-data: Q0E=, tls-server-name: api", "token: secret"));
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->server == "https://h:6443");
    BOOST_TEST(c->ca_pem == "CA");
    BOOST_TEST(c->tls_server_name == "api");
    BOOST_TEST(c->token == "secret");
    BOOST_TEST(c->namespace_ == "default");
}

BOOST_AUTO_TEST_CASE(takes_the_context_asked_for) {
    auto const text = file("server: \"https://h\"", "token: t");
    BOOST_TEST(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("b"))->namespace_ == "team-b");
    BOOST_TEST(error(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("z"))) ==
               "contexts: there is no entry \"z\"");
    BOOST_TEST(error(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("lost"))) ==
               "contexts[lost].context.cluster: there is no entry \"none\"");
}

BOOST_AUTO_TEST_CASE(json_is_accepted_as_well) {
    auto const c =
        kube::parse_kubeconfig(R"({"current-context":"a","clusters":[{"name":"c","cluster":{"server":"https://h"}}],)"
                               R"("contexts":[{"name":"a","context":{"cluster":"c"}}]})");
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->server == "https://h");
}

BOOST_AUTO_TEST_CASE(files_are_resolved_against_the_directory_of_the_kubeconfig) {
    directory const d;
    d.write("ca.pem", "the CA");
    d.write("cert.pem", "the certificate");
    d.write("key.pem", "the key");
    d.write("config", file("server: \"https://h\", certificate-authority: ca.pem",
                           "client-certificate: cert.pem, client-key: key.pem, tokenFile: token"));
    auto const c = kube::load_kubeconfig(d.path / "config");
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->ca_pem == "the CA");
    BOOST_TEST(c->client_certificate_pem == "the certificate");
    BOOST_TEST(c->client_key_pem == "the key");
    BOOST_TEST(c->token_file == (d.path / "token").string());
}

BOOST_AUTO_TEST_CASE(file_names_stay_those_of_the_directory_that_was_current) {
    directory const d;
    d.write("config", file("server: \"https://h\"", "tokenFile: token"));
    auto const before = fs::current_path();
    fs::current_path(d.path);
    auto const loaded = kube::load_kubeconfig("config");
    auto const parsed = kube::parse_kubeconfig(file("server: \"https://h\"", "tokenFile: token"));
    auto const here = fs::current_path();
    fs::current_path(before);
    BOOST_TEST(loaded->token_file == (here / "token").string());
    BOOST_TEST(parsed->token_file == (here / "token").string());
}

BOOST_AUTO_TEST_CASE(files_are_refused_where_all_must_stand_in_the_kubeconfig) {
    auto const told = [](std::string const& cluster, std::string const& user) {
        return error(kube::parse_kubeconfig(file("server: \"https://h\"" + cluster, user),
                                            kube::kubeconfig_options().with_inline_only()));
    };
    std::string const why =
        ": names a file, expected what is in it: only kubeconfigs that hold all themselves are taken";
    BOOST_TEST(told("", "token: t") == "none");
    BOOST_TEST(told(", certificate-authority: /etc/shadow", "token: t") ==
               "clusters[c].cluster.certificate-authority" + why);
    BOOST_TEST(told("", "tokenFile: /etc/shadow") == "users[u].user.tokenFile" + why);
    BOOST_TEST(told("", "client-certificate: c, client-key: k") == "users[u].user.client-certificate" + why);
    BOOST_TEST(told("", "client-certificate-data: Q0E=, client-key: k") == "users[u].user.client-key" + why);
    BOOST_TEST(told("", "auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\", client-id: i, "
                        "refresh-token: r, idp-certificate-authority: /etc/shadow}}") ==
               "users[u].user.auth-provider.config.idp-certificate-authority" + why);
}

BOOST_AUTO_TEST_CASE(what_the_system_would_read_otherwise_than_it_stands_is_refused) {
    auto const told = [](std::string const& cluster, std::string const& user) {
        return error(kube::parse_kubeconfig(file("server: \"https://h\"" + cluster, user)));
    };
    auto const plugin = [&](std::string const& rest) {
        return told("", "exec: {apiVersion: client.authentication.k8s.io/v1beta1, " + rest + "}");
    };
    std::string const control = ": holds a control character, expected text without";
    std::string const nul = ": holds a NUL, expected text without";
    BOOST_TEST(plugin("command: \"/bin/sh\\0/aws\"") == "users[u].user.exec.command" + control);
    BOOST_TEST(plugin("command: aws, args: [\"a\\0b\"]") == "users[u].user.exec.args" + nul);
    BOOST_TEST(plugin("command: sh, args: [-c, \"a\\nb\"]") == "none");
    BOOST_TEST(plugin("command: aws, env: [{name: A, value: \"a\\0b\"}]") == "users[u].user.exec.env" + nul);
    BOOST_TEST(plugin("command: aws, env: [{name: \"A\\0B\", value: a}]") == "users[u].user.exec.env" + control);
    BOOST_TEST(told("", "tokenFile: \"/a\\0b\"") == "users[u].user.tokenFile" + control);
    BOOST_TEST(told(", certificate-authority: \"/a\\0b\"", "") ==
               "clusters[c].cluster.certificate-authority" + control);
    BOOST_TEST(told(", tls-server-name: \"a\\0b\"", "") == "clusters[c].cluster.tls-server-name" + control);
    BOOST_TEST(told(", proxy-url: \"http://p\\r\\nX\"", "") == "clusters[c].cluster.proxy-url" + control);
}

BOOST_AUTO_TEST_CASE(data_wins_over_the_file) {
    auto const c = kube::parse_kubeconfig(
        file("server: \"https://h\", certificate-authority: /nowhere, certificate-authority-data: Q0E=", "token: t"));
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->ca_pem == "CA");
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_by_name) {
    auto const refuses = [](std::string const& cluster, std::string const& user, std::string const& path) {
        auto const c = kube::parse_kubeconfig(file("server: \"https://h\"" + cluster, user));
        BOOST_TEST_REQUIRE(c.has_error(), path);
        BOOST_TEST((c.error().code == errc::not_supported), path);
        BOOST_TEST(c.error().detail.path == path);
    };
    refuses(", proxy-url: \"https://p\"", "token: t", "clusters[c].cluster.proxy-url");
    refuses("", "exec: {command: aws, apiVersion: client.authentication.k8s.io/v1alpha1}",
            "users[u].user.exec.apiVersion");
    refuses("", "auth-provider: {name: gcp}", "users[u].user.auth-provider.name");
}

BOOST_AUTO_TEST_CASE(contradictions_are_refused) {
    BOOST_TEST(error(kube::parse_kubeconfig(file("tls-server-name: x", "token: t"))) ==
               "clusters[c].cluster.server: a server is needed");
    BOOST_TEST(error(kube::parse_kubeconfig(file("server: \"https://h\", insecure-skip-tls-verify: true, "
                                                 "certificate-authority-data: Q0E=",
                                                 "token: t"))) ==
               "clusters[c].cluster.insecure-skip-tls-verify: may not be set together with certificate-authority");
    BOOST_TEST(error(kube::parse_kubeconfig(file("server: \"https://h\"", "client-certificate-data: Q0E="))) ==
               "users[u].user.client-key: a client certificate and its key must be given together");
    BOOST_TEST(
        error(kube::parse_kubeconfig(file("server: \"https://h\", certificate-authority-data: \"?\"", "token: t"))) ==
        "clusters[c].cluster.certificate-authority-data: expected base64");
    BOOST_TEST(
        error(kube::parse_kubeconfig(file("server: \"https://h\", certificate-authority: /nowhere/ca", "token: t"))) ==
        "clusters[c].cluster.certificate-authority: cannot read \"/nowhere/ca\", or it is empty");
    BOOST_TEST(error(kube::parse_kubeconfig("")) == "current-context: is empty, and no context was asked for");
    BOOST_TEST((kube::load_kubeconfig("/nowhere/config").error().code == errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_pod_finds_its_server) {
    directory const d;
    d.write("token", " abc\n");
    d.write("ca.crt", "the CA");
    d.write("namespace", "team-a\n");
    auto const c = kube::in_cluster_config(d.path, "fd00::1", "443");
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->server == "https://[fd00::1]:443");
    BOOST_TEST(c->ca_pem == "the CA");
    BOOST_TEST(c->namespace_ == "team-a");
    BOOST_TEST(c->token_file == (d.path / "token").string());
    BOOST_TEST(kube::in_cluster_config(d.path, "", "443").has_error());
    d.write("token", "\n");
    BOOST_TEST(kube::in_cluster_config(d.path, "h", "443").error().detail.path == "token");
}

BOOST_AUTO_TEST_CASE(a_written_kubeconfig_reads_back) {
    kube::config c;
    c.server = "https://127.0.0.1:6443";
    c.namespace_ = "team-a";
    c.ca_pem = "-----BEGIN\nCA";
    c.token = "t: {x}";
    c.client_certificate_pem = "cert";
    c.client_key_pem = "key";
    auto const back = kube::parse_kubeconfig(kube::to_kubeconfig(c, "local"));
    BOOST_TEST_REQUIRE(error(back) == "none");
    BOOST_TEST(back->server == c.server);
    BOOST_TEST(back->namespace_ == c.namespace_);
    BOOST_TEST(back->ca_pem == c.ca_pem);
    BOOST_TEST(back->token == c.token);
    BOOST_TEST(back->client_certificate_pem == c.client_certificate_pem);
    BOOST_TEST(back->client_key_pem == c.client_key_pem);
}

BOOST_AUTO_TEST_SUITE_END()
