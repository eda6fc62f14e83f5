#include "kube/discovery/discovery_documents.hpp"
#include "kube/http/transport_request.hpp"
#include "support/temporary_directory.hpp"

#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

/// The messages about configurations and credentials that the client does not accept.
BOOST_AUTO_TEST_SUITE(kube_config_messages)

using namespace kftrain;
namespace asio = boost::asio;
namespace fs = std::filesystem;
using kube::config;
using kube::exec_plugin;
using kube::oidc_provider;

namespace {

template <class T> std::string message(result<T> const& r) { return r ? "accepted" : r.error().to_string(); }

config at_server(std::string const& url = "https://h") {
    config c;
    c.server = url;
    return c;
}

/// A file that contains nothing and is removed with the test.
struct empty_file {
    test::temporary_directory directory;
    std::string name = directory.write(".kube/config", "");
};

} // namespace

BOOST_AUTO_TEST_CASE(an_invalid_transport_setting_is_rejected) {
    empty_file const file;
    struct {
        std::string expected;
        std::function<void(config&)> change;
    } const rows[] = {
        {"server: expected a URL like https://host:port, got \"ftp://h\"", [](config& c) { c.server = "ftp://h"; }},
        {"server: user names and passwords in a URL are not supported: \"https://[hidden]@h\"",
         [](config& c) { c.server = "https://u:p@h"; }},
        {"server: expected a port from 1 to 65535, got \"https://h:65536\"",
         [](config& c) { c.server = "https://h:65536"; }},
        {"proxy_url: expected a URL like http://proxy:3128, got \"http://\"",
         [](config& c) { c.proxy_url = "http://"; }},
        {"proxy_url: expected a proxy with the scheme http, socks5 or socks5h, got \"https://p\"",
         [](config& c) { c.proxy_url = "https://p"; }},
        {"proxy_url: expected a port from 1 to 65535, got \"http://p:0\"",
         [](config& c) { c.proxy_url = "http://p:0"; }},
        {"proxy_url: expected a user and a password of at most 255 bytes each for \"socks5://[hidden]@p\"",
         [](config& c) { c.proxy_url = "socks5://" + std::string(256, 'u') + ":x@p"; }},
        {"username: cannot be combined with a token", [](config& c) { c.username = c.token = "x"; }},
        {"password: needs a username", [](config& c) { c.password = "x"; }},
        {"exec: cannot be combined with oidc",
         [](config& c) {
             c.exec.emplace();
             c.oidc.emplace();
         }},
        {"token: contains a control character, perhaps a line break", [](config& c) { c.token = "a\n"; }},
        {"token_file: cannot read a token from \"/nonexistent/token\": No such file or directory",
         [](config& c) { c.token_file = "/nonexistent/token"; }},
        {"token_file: expected a token in \"" + file.name + "\"", [&](config& c) { c.token_file = file.name; }},
        {"exec.command: expected a command, got none", [](config& c) { c.exec.emplace(); }},
        {"exec.interactive_mode: the plugin \"login\" uses interactiveMode Always, but kftrain never gives the "
         "terminal to a plugin",
         [](config& c) {
             c.exec.emplace().command = "login";
             c.exec->interactive_mode = exec_plugin::interaction::always;
         }},
        {"oidc.issuer_url: expected an https URL, got \"http://issuer\"",
         [](config& c) { c.oidc.emplace().issuer_url = "http://issuer"; }},
        {"ca_pem: expected PEM certificates, found none", [](config& c) { c.ca_pem = "-"; }},
        {"client_certificate_pem: expected a PEM certificate: no start line",
         [](config& c) { c.client_certificate_pem = c.client_key_pem = "-"; }},
    };
    asio::io_context context;
    for (auto const& row : rows) {
        auto c = at_server();
        row.change(c);
        BOOST_TEST(message(kube::make_https_transport(context.get_executor(), c)) == row.expected);
    }
}

BOOST_AUTO_TEST_CASE(an_invalid_kubeconfig_is_rejected) {
    auto const with = [](std::string const& cluster, std::string const& user) {
        return "current-context: a\nclusters: [{name: c, cluster: {" + cluster + "}}]\nusers: [{name: u, user: {" +
               user + "}}]\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n";
    };
    std::string const server = "server: 'https://h'";
    auto const provider = [](std::string const& fields) {
        return "auth-provider: {name: oidc, config: {" + fields + "}}";
    };
    struct {
        std::string text;
        std::string expected;
    } const rows[] = {
        {"", "current-context: is empty, and the caller selected no context"},
        {"kind: Pod", "kind: expected Config, got \"Pod\""},
        {"apiVersion: v2", "apiVersion: expected v1, got \"v2\""},
        {with("", ""), "clusters[c].cluster.server: expected a server, got none"},
        {with("server: [1]", ""), "clusters[0].cluster.server: expected string (line 2, column 40)"},
        {with("server: \"h\\u0007\"", ""), "clusters[c].cluster.server: contains a control character"},
        {with(server + ", proxy-url: 'ftp://p'", ""),
         "clusters[c].cluster.proxy-url: expected a proxy with the scheme http, socks5 or socks5h, got \"ftp://p\""},
        {with(server + ", certificate-authority: \"-----BEGIN CERTIFICATE-----\"", ""),
         "clusters[c].cluster.certificate-authority: expected the name of a file, got PEM text"},
        {with(server + ", certificate-authority: /dev/null/ca", ""),
         "clusters[c].cluster.certificate-authority: cannot read \"/dev/null/ca\": Not a directory"},
        {with(server + ", certificate-authority-data: '*'", ""),
         "clusters[c].cluster.certificate-authority-data: expected base64"},
        {with(server + ", certificate-authority-data: Q0E=, insecure-skip-tls-verify: true", ""),
         "clusters[c].cluster.insecure-skip-tls-verify: cannot be combined with certificate-authority"},
        {with(server, "auth-provider: {name: gcp}"), "users[u].user.auth-provider.name: expected oidc, got \"gcp\"; "
                                                     "for other providers use a plugin in the field exec"},
        {with(server, provider("")), "users[u].user.auth-provider.config.idp-issuer-url: expected an issuer, got none"},
        {with(server, provider("idp-issuer-url: 'https://i'")),
         "users[u].user.auth-provider.config.client-id: expected a client id, got none"},
        {with(server, provider("idp-issuer-url: 'https://i', client-id: c")),
         "users[u].user.auth-provider.config.refresh-token: expected an id-token or a refresh-token, got neither"},
    };
    for (auto const& row : rows) BOOST_TEST(message(kube::parse_kubeconfig(row.text)) == row.expected);
    std::string const nul("config\0", 7);
    BOOST_TEST(message(kube::load_kubeconfig(nul)).find("its name contains a NUL character") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_configuration_lists_the_searched_places) {
    empty_file const file;
    auto const options = kube::default_config_options().with_service_account_directory("/nonexistent/pod");
    std::string const no_pod = ", and this process does not run in a pod: KUBERNETES_SERVICE_HOST or "
                               "KUBERNETES_SERVICE_PORT is not set, or no token exists in \"/nonexistent/pod\"";
    struct {
        kube::environment variables;
        std::string context;
        std::string expected;
    } const rows[] = {
        {{}, "", "found no configuration: neither KUBECONFIG nor HOME is set" + no_pod},
        {{{"HOME", "/nonexistent"}},
         "",
         "found no configuration: \"/nonexistent/.kube/config\" does not exist, and KUBECONFIG is not set" + no_pod},
        {{{"KUBECONFIG", "/nonexistent/a:/nonexistent/b"}},
         "",
         "found no configuration: no file of KUBECONFIG=\"/nonexistent/a:/nonexistent/b\" exists" + no_pod},
        {{{"KUBECONFIG", "/dev/null"}}, "", "cannot read the kubeconfig \"/dev/null\": not a regular file"},
        {{{"KUBECONFIG", file.name}},
         "",
         "found no configuration: no file of KUBECONFIG=\"" + file.name + "\" contains a configuration" + no_pod},
        {{{"HOME", file.directory.path.string()}},
         "",
         "found no configuration: \"" + file.name + "\" contains no configuration, and KUBECONFIG is not set" + no_pod},
        {{}, "prod", "context: no context has the name \"prod\": neither KUBECONFIG nor HOME is set"},
    };
    for (auto const& row : rows) {
        auto o = options;
        o.context = row.context;
        BOOST_TEST(message(kube::default_config(row.variables, o)) == row.expected);
    }
    BOOST_TEST(message(kube::in_cluster_config("/nonexistent", "", "443")) ==
               "host: expected the address of the API server, got none");
    BOOST_TEST(message(kube::in_cluster_config("/nonexistent", "10.0.0.1", "")) ==
               "port: expected the port of the API server, got none");
    BOOST_TEST(message(kube::in_cluster_config("/nonexistent", "10.0.0.1", "443")) ==
               "token: cannot read \"/nonexistent/token\": No such file or directory");
}

BOOST_AUTO_TEST_CASE(an_invalid_request_is_rejected) {
    auto const server = kube::detail::parse_server_url("http://h", false).value();
    auto const of = [&](std::string method, std::string target, std::string value, std::string_view authorization) {
        kube::http_request r;
        r.method = std::move(method);
        r.target = std::move(target);
        r.fields.add("X-Note", std::move(value));
        return message(kube::detail::write_request(r, server, authorization));
    };
    BOOST_TEST(of("GET", "/x", "a", "Bearer t").starts_with("accepted"));
    BOOST_TEST(of("G T", "/x", "a", "") == "method: expected an HTTP method, got \"G T\"");
    BOOST_TEST(of("GET", "x", "a", "") == "target: expected a percent-encoded path, got \"x\"");
    BOOST_TEST(of("GET", "/x", "a\n", "") ==
               "fields: the name of header \"X-Note\" is invalid, or its value contains control characters");
    BOOST_TEST(of("GET", "/x", "a", "Bearer \n") == "token: the credentials contain control characters");
}

BOOST_AUTO_TEST_SUITE_END()
