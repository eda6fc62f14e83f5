#include "support/temporary_directory.hpp"

#include <kftrain/kube/config.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_config)

namespace kube = kftrain::kube;
namespace fs = std::filesystem;
using kftrain::errc;

namespace {

using directory = kftrain::test::temporary_directory;

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

BOOST_AUTO_TEST_CASE(the_current_context_is_used) {
    auto const c = kube::parse_kubeconfig(
        file("server: \"https://h:6443\", certificate-authority-data: Q0E=, tls-server-name: api", "token: secret"));
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->server == "https://h:6443");
    BOOST_TEST(c->ca_pem == "CA");
    BOOST_TEST(c->tls_server_name == "api");
    BOOST_TEST(c->token == "secret");
    BOOST_TEST(c->namespace_ == "default");
}

BOOST_AUTO_TEST_CASE(the_requested_context_is_used) {
    auto const text = file("server: \"https://h\"", "token: t");
    BOOST_TEST(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("b"))->namespace_ == "team-b");
    BOOST_TEST(error(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("z"))) ==
               "contexts: no entry has the name \"z\"");
    BOOST_TEST(error(kube::parse_kubeconfig(text, kube::kubeconfig_options().with_context("lost"))) ==
               "contexts[lost].context.cluster: no entry has the name \"none\"");
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

BOOST_AUTO_TEST_CASE(relative_file_names_use_the_original_working_directory) {
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

BOOST_AUTO_TEST_CASE(file_references_are_rejected_if_only_inline_data_is_allowed) {
    auto const config_of = [](std::string const& cluster, std::string const& user) {
        return error(kube::parse_kubeconfig(file("server: \"https://h\"" + cluster, user),
                                            kube::kubeconfig_options().with_inline_only()));
    };
    std::string const why = ": names a file, expected its content: this kubeconfig must not refer to files";
    BOOST_TEST(config_of("", "token: t") == "none");
    BOOST_TEST(config_of(", certificate-authority: /etc/shadow", "token: t") ==
               "clusters[c].cluster.certificate-authority" + why);
    BOOST_TEST(config_of("", "tokenFile: /etc/shadow") == "users[u].user.tokenFile" + why);
    BOOST_TEST(config_of("", "client-certificate: c, client-key: k") == "users[u].user.client-certificate" + why);
    BOOST_TEST(config_of("", "client-certificate-data: Q0E=, client-key: k") == "users[u].user.client-key" + why);
    BOOST_TEST(config_of("", "auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\", client-id: i, "
                             "refresh-token: r, idp-certificate-authority: /etc/shadow}}") ==
               "users[u].user.auth-provider.config.idp-certificate-authority" + why);
}

BOOST_AUTO_TEST_CASE(ambiguous_addresses_are_refused) {
    auto const config_of = [](std::string const& cluster, std::string const& user) {
        return error(kube::parse_kubeconfig(file("server: \"https://h\"" + cluster, user)));
    };
    auto const plugin = [&](std::string const& rest) {
        return config_of("", "exec: {apiVersion: client.authentication.k8s.io/v1beta1, " + rest + "}");
    };
    std::string const control = ": contains a control character";
    std::string const nul = ": contains a NUL character";
    BOOST_TEST(plugin("command: \"/bin/sh\\0/aws\"") == "users[u].user.exec.command" + control);
    BOOST_TEST(plugin("command: aws, args: [\"a\\0b\"]") == "users[u].user.exec.args" + nul);
    BOOST_TEST(plugin("command: sh, args: [-c, \"a\\nb\"]") == "none");
    BOOST_TEST(plugin("command: aws, env: [{name: A, value: \"a\\0b\"}]") == "users[u].user.exec.env" + nul);
    BOOST_TEST(plugin("command: aws, env: [{name: \"A\\0B\", value: a}]") == "users[u].user.exec.env" + control);
    BOOST_TEST(config_of("", "tokenFile: \"/a\\0b\"") == "users[u].user.tokenFile" + control);
    BOOST_TEST(config_of(", certificate-authority: \"/a\\0b\"", "") ==
               "clusters[c].cluster.certificate-authority" + control);
    BOOST_TEST(config_of(", tls-server-name: \"a\\0b\"", "") == "clusters[c].cluster.tls-server-name" + control);
    BOOST_TEST(config_of(", proxy-url: \"http://p\\r\\nX\"", "") == "clusters[c].cluster.proxy-url" + control);
}

BOOST_AUTO_TEST_CASE(inline_data_overrides_files) {
    auto const c = kube::parse_kubeconfig(
        file("server: \"https://h\", certificate-authority: /nowhere, certificate-authority-data: Q0E=", "token: t"));
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->ca_pem == "CA");
}

BOOST_AUTO_TEST_CASE(unsupported_parts_are_refused_by_name) {
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
               "clusters[c].cluster.server: expected a server, got none");
    BOOST_TEST(error(kube::parse_kubeconfig(file("server: \"https://h\", insecure-skip-tls-verify: true, "
                                                 "certificate-authority-data: Q0E=",
                                                 "token: t"))) ==
               "clusters[c].cluster.insecure-skip-tls-verify: cannot be combined with certificate-authority");
    BOOST_TEST(error(kube::parse_kubeconfig(file("server: \"https://h\"", "client-certificate-data: Q0E="))) ==
               "users[u].user.client-key: expected a client certificate and its key, got only one of them");
    BOOST_TEST(
        error(kube::parse_kubeconfig(file("server: \"https://h\", certificate-authority-data: \"?\"", "token: t"))) ==
        "clusters[c].cluster.certificate-authority-data: expected base64");
    BOOST_TEST(
        error(kube::parse_kubeconfig(file("server: \"https://h\", certificate-authority: /nowhere/ca", "token: t"))) ==
        "clusters[c].cluster.certificate-authority: cannot read \"/nowhere/ca\": No such file or directory");
    BOOST_TEST(error(kube::parse_kubeconfig("")) == "current-context: is empty, and the caller selected no context");
    BOOST_TEST((kube::load_kubeconfig("/nowhere/config").error().code == errc::invalid_argument));
    BOOST_TEST(error(kube::load_kubeconfig("/nowhere/config")) ==
               "cannot read the kubeconfig \"/nowhere/config\": No such file or directory");
    BOOST_TEST(error(kube::load_kubeconfig("/")) == "cannot read the kubeconfig \"/\": Is a directory");
}

// clientcmd decodes YAML without content to an empty configuration.
BOOST_AUTO_TEST_CASE(a_kubeconfig_without_content_is_empty) {
    directory const d;
    d.write("good", file("server: \"https://h\"", "token: t"));
    for (auto const* text : {"", "\n", "# nothing\n", "---\n", "--- # nothing\n...\n", "null\n", "~", "{}",
                             "---\n---\n", "\xEF\xBB\xBF# nothing\n"}) {
        BOOST_TEST(error(kube::parse_kubeconfig(text)) ==
                       "current-context: is empty, and the caller selected no context",
                   text);
        d.write("empty", text);
        auto const both = kube::load_kubeconfigs({(d.path / "empty").string(), (d.path / "good").string()});
        BOOST_TEST(error(both) == "none", text);
    }
}

// client-go decodes one document of a file.
BOOST_AUTO_TEST_CASE(documents_behind_the_first_are_not_read) {
    auto const first = file("server: \"https://h\"", "token: t");
    for (auto const* rest : {"---\nkind: Pod\napiVersion: v1\n", "---\n[ broken\n", "...\n---\ncurrent-context: b\n"})
        for (auto const* begin : {"", "---\n", "# mine\n---\n"}) {
            auto const c = kube::parse_kubeconfig(begin + first + rest);
            BOOST_TEST_REQUIRE(error(c) == "none", begin + first + rest);
            BOOST_TEST(c->token == "t");
            BOOST_TEST(c->namespace_ == "default");
        }
    BOOST_TEST(error(kube::parse_kubeconfig("---\nkind: Pod\n---\n" + first)) == "kind: expected Config, got \"Pod\"");
}

BOOST_AUTO_TEST_CASE(a_kubeconfig_in_utf_16_with_a_byte_order_mark_is_read) {
    auto const plain = file("server: \"https://h\"", "token: \"t\"") + "# \xC3\xA9 \xE2\x82\xAC\n";
    for (bool const little : {true, false}) {
        std::string text;
        auto const put = [&](unsigned unit) {
            text += static_cast<char>(little ? unit & 255U : unit >> 8U);
            text += static_cast<char>(little ? unit >> 8U : unit & 255U);
        };
        put(0xfeff);
        for (std::size_t i = 0; i < plain.size(); ++i)
            if (plain[i] == '\xC3') {
                put(0xe9), i += 1;
            } else if (plain[i] == '\xE2') {
                put(0x20ac), i += 2;
            } else {
                put(static_cast<unsigned char>(plain[i]));
            }
        auto const c = kube::parse_kubeconfig(text);
        BOOST_TEST_REQUIRE(error(c) == "none");
        BOOST_TEST(c->token == "t");
    }
}

// To clientcmd the empty name is a name, and the current context if there is no current-context.
BOOST_AUTO_TEST_CASE(an_empty_name_is_a_valid_entry_name) {
    auto const unnamed = [](std::string const& contexts) {
        return "clusters:\n- {name: c, cluster: {server: \"https://named\"}}\n- {cluster: {server: "
               "\"https://unnamed\"}}\n"
               "users:\n- {name: \"\", user: {token: t}}\n" +
               contexts;
    };
    auto const context = kube::parse_kubeconfig(unnamed("contexts:\n- {context: {cluster: c, namespace: ns}}\n"));
    BOOST_TEST_REQUIRE(error(context) == "none");
    BOOST_TEST(context->server == "https://named");
    BOOST_TEST(context->namespace_ == "ns");
    BOOST_TEST(context->token == "t");
    auto const cluster = kube::parse_kubeconfig(unnamed("contexts:\n- {name: \"\", context: {}}\n"));
    BOOST_TEST_REQUIRE(error(cluster) == "none");
    BOOST_TEST(cluster->server == "https://unnamed");
    auto const none = kube::parse_kubeconfig(unnamed("contexts: []\n"));
    BOOST_TEST_REQUIRE(error(none) == "none");
    BOOST_TEST(none->server == "https://unnamed");
    BOOST_TEST(none->token == "t");
    BOOST_TEST(error(kube::parse_kubeconfig("users:\n- {user: {token: t}}\n")) ==
               "current-context: is empty, and the caller selected no context");
    BOOST_TEST(error(kube::parse_kubeconfig("contexts:\n- {context: {}}\n")) ==
               "contexts[].context.cluster: no entry has the name \"\"");
}

// ResolveLocalPaths of clientcmd joins and cleans paths as text.
BOOST_AUTO_TEST_CASE(a_relative_path_does_not_follow_a_link_to_a_folder) {
    directory const d;
    fs::create_directories(d.path / "far" / "inner");
    fs::create_directory(d.path / "near");
    fs::create_directory_symlink(d.path / "far" / "inner", d.path / "near" / "link");
    d.write("near/ca", "near CA");
    d.write("far/ca", "far CA");
    d.write("far/inner/config", file("server: \"https://h\", certificate-authority: ../ca", "token: t"));
    auto const c = kube::load_kubeconfig((d.path / "near" / "link" / "config").string());
    BOOST_TEST_REQUIRE(error(c) == "none");
    BOOST_TEST(c->ca_pem == "near CA");
    BOOST_TEST(c->ca_file == (d.path / "near" / "ca").string());
    auto const whole = (d.path / "near" / "link" / ".." / "ca").string(); // absolute ones stay
    d.write("config", file("server: \"https://h\", certificate-authority: \"" + whole + "\"", "token: t"));
    BOOST_TEST(kube::load_kubeconfig((d.path / "config").string())->ca_pem == "far CA");
}

BOOST_AUTO_TEST_CASE(the_in_cluster_configuration_is_read) {
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
