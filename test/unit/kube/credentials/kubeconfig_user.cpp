#include <kftrain/kube/config.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_kubeconfig_user)

namespace kube = kftrain::kube;
using kftrain::errc;

namespace {

std::string config_text(std::string const& user, std::string const& cluster = "") {
    return "apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters:\n- {name: c, cluster: {server: \"https://h\"" +
           cluster + "}}\nusers:\n- name: u\n  user: {" + user +
           "}\ncontexts:\n- {name: a, context: {cluster: c, user: u}}\n";
}

std::string const plugin_start = "exec: {apiVersion: client.authentication.k8s.io/v1, command: aws";

std::string fault_of(std::string const& user, std::string const& cluster = "") {
    auto const c = kube::parse_kubeconfig(config_text(user, cluster));
    return c ? "none" : c.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_plugin_is_read_to_the_last_field) {
    auto const c = kube::parse_kubeconfig(
        config_text(plugin_start + ", args: [eks, get-token], env: [{name: A, value: b}], installHint: get it, "
                                   "provideClusterInfo: true, interactiveMode: Never}",
                    ", extensions: [{name: other, extension: 1}, {name: client.authentication.k8s.io/exec, "
                    "extension: {audience: x}}]"));
    BOOST_TEST_REQUIRE(c.has_value());
    BOOST_TEST_REQUIRE(c->exec.has_value());
    auto const& plugin = *c->exec;
    BOOST_TEST(plugin.command == "aws");
    BOOST_TEST(plugin.args == (std::vector<std::string>{"eks", "get-token"}), boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(plugin.env.size() == 1U);
    BOOST_TEST(plugin.env[0].first == "A");
    BOOST_TEST(plugin.env[0].second == "b");
    BOOST_TEST(plugin.api_version == "client.authentication.k8s.io/v1");
    BOOST_TEST(plugin.install_hint == "get it");
    BOOST_TEST(plugin.provide_cluster_info);
    BOOST_TEST((plugin.interactive_mode == kube::exec_plugin::interaction::never));
    BOOST_TEST(plugin.cluster_config == R"({"audience":"x"})");
}

BOOST_AUTO_TEST_CASE(relative_plugin_paths_use_the_kubeconfig_folder_and_names_do_not) {
    auto const command = [](std::string const& name) {
        return kube::parse_kubeconfig(
                   config_text("exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: " + name + "}"),
                   kube::kubeconfig_options().with_directory("/etc/kube"))
            ->exec->command;
    };
    BOOST_TEST(command("aws") == "aws");
    BOOST_TEST(command("bin/aws") == "/etc/kube/bin/aws");
    BOOST_TEST(command("/opt/aws") == "/opt/aws");
}

BOOST_AUTO_TEST_CASE(basic_authentication_and_impersonation_are_read) {
    auto const c = kube::parse_kubeconfig(config_text("username: me, password: secret, as: other, as-uid: \"7\", "
                                                      "as-groups: [g, h], as-user-extra: {scopes: [a, b]}"));
    BOOST_TEST_REQUIRE(c.has_value());
    BOOST_TEST(c->username == "me");
    BOOST_TEST(c->password == "secret");
    BOOST_TEST(c->as.user == "other");
    BOOST_TEST(c->as.uid == "7");
    BOOST_TEST(c->as.groups.size() == 2U);
    BOOST_TEST(c->as.extra.at("scopes").size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_oidc_auth_provider_is_read) {
    auto const c = kube::parse_kubeconfig(
        config_text("auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\", client-id: id, "
                    "client-secret: s, id-token: t, refresh-token: r, idp-certificate-authority-data: Q0E=}}"));
    BOOST_TEST_REQUIRE(c.has_value());
    BOOST_TEST_REQUIRE(c->oidc.has_value());
    BOOST_TEST(c->oidc->issuer_url == "https://i");
    BOOST_TEST(c->oidc->client_id == "id");
    BOOST_TEST(c->oidc->client_secret == "s");
    BOOST_TEST(c->oidc->id_token == "t");
    BOOST_TEST(c->oidc->refresh_token == "r");
    BOOST_TEST(c->oidc->ca_pem == "CA");
}

BOOST_AUTO_TEST_CASE(contradictory_settings_are_refused_by_name) {
    std::string const at = "users[u].user.";
    struct {
        std::string user;
        std::string fault;
    } const cases[] = {
        {"token: t, username: me", at + "username: cannot be combined with a token"},
        {"tokenFile: t, username: me, password: p", at + "username: cannot be combined with a token"},
        {"password: p", at + "password: needs a username"},
        {plugin_start + ", interactiveMode: Never}, auth-provider: {name: oidc}",
         at + "exec: cannot be combined with auth-provider"},
        {"as-uid: x", at + "as-uid: requires a user in the field as"},
        {"as-groups: [g]", at + "as-groups: requires a user in the field as"},
        {"as-user-extra: {a: [b]}", at + "as-user-extra: requires a user in the field as"},
        {"exec: {apiVersion: client.authentication.k8s.io/v1}", at + "exec.command: expected a command, got none"},
        {"exec: {command: aws}", at + "exec.apiVersion: expected an apiVersion, got none"},
        {plugin_start + "}", at + "exec.interactiveMode: is required with client.authentication.k8s.io/v1"},
        {plugin_start + ", interactiveMode: Sometimes}",
         at + "exec.interactiveMode: expected Never, IfAvailable or Always, got \"Sometimes\""},
        {plugin_start + ", interactiveMode: Never, env: [{value: x}]}",
         at + "exec.env: expected a name for each variable"},
        {plugin_start + ", interactiveMode: Never, env: [{name: \"A=B\"}]}",
         at + "exec.env: \"A=B\" is not a valid name of a variable"},
        {"auth-provider: {name: oidc}", at + "auth-provider.config.idp-issuer-url: expected an issuer, got none"},
        {"auth-provider: {name: oidc, config: {idp-issuer-url: i}}",
         at + "auth-provider.config.client-id: expected a client id, got none"},
        {"auth-provider: {name: oidc, config: {idp-issuer-url: i, client-id: c}}",
         at + "auth-provider.config.refresh-token: expected an id-token or a refresh-token, got neither"},
    };
    for (auto const& k : cases) BOOST_TEST(fault_of(k.user) == k.fault, k.user);
    BOOST_TEST(fault_of("", ", proxy-url: \"http://\"") ==
               "clusters[c].cluster.proxy-url: expected a URL like http://proxy:3128, got \"http://\"");
}

// Go's net/http sends no field with a control character; a tab is none.
BOOST_AUTO_TEST_CASE(values_that_do_not_fit_an_http_field_are_refused_by_name) {
    std::string const end = ": contains a control character, perhaps a line break";
    std::string const oidc = "auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\", client-id: c, ";
    BOOST_TEST(fault_of("token: \"abc\\n\"") == "users[u].user.token" + end);
    BOOST_TEST(fault_of("token: \"a\\rb\"") == "users[u].user.token" + end);
    BOOST_TEST(fault_of("token: \"a\\0b\"") == "users[u].user.token" + end);
    BOOST_TEST(fault_of("token: \"a\\x7fb\"") == "users[u].user.token" + end);
    BOOST_TEST(fault_of("token: \"a\\tb\"") == "none");
    BOOST_TEST(fault_of("as: \"a\\n\"") == "users[u].user.as" + end);
    BOOST_TEST(fault_of("as: a, as-uid: \"a\\n\"") == "users[u].user.as-uid" + end);
    BOOST_TEST(fault_of("as: a, as-groups: [b, \"a\\n\"]") == "users[u].user.as-groups" + end);
    BOOST_TEST(fault_of("as: a, as-user-extra: {k: [\"a\\n\"]}") == "users[u].user.as-user-extra" + end);
    BOOST_TEST(fault_of(oidc + "id-token: \"a\\n\"}}") == "users[u].user.auth-provider.config.id-token" + end);
    BOOST_TEST(fault_of("username: \"a\\n\", password: \"b\\n\"") == "none"); // sent as base64
}

BOOST_AUTO_TEST_CASE(namespaces_of_contexts_are_names) {
    std::string const text = "current-context: a\nclusters:\n- {name: c, cluster: {server: \"https://h\"}}\n"
                             "contexts:\n- {name: a, context: {cluster: c, namespace: Team_A}}\n";
    auto const c = kube::parse_kubeconfig(text);
    BOOST_TEST_REQUIRE(c.has_error());
    BOOST_TEST(c.error().detail.path == "contexts[a].context.namespace");
    BOOST_TEST(c.error().detail.message.starts_with("\"Team_A\": "), c.error().to_string());
}

BOOST_AUTO_TEST_CASE(every_authentication_method_survives_a_round_trip) {
    kube::config c;
    c.server = "https://h";
    c.ca_pem = "CA";
    c.proxy_url = "socks5h://u:p@proxy:1080";
    c.disable_compression = true;
    c.username = "me";
    c.password = "secret";
    c.as.with_user("other").with_uid("7").with_groups({"g"});
    c.as.extra["scopes"] = {"a"};
    auto& plugin = c.exec.emplace();
    plugin.command = "/opt/aws";
    plugin.args = {"eks"};
    plugin.env = {{"A", "b"}};
    plugin.api_version = "client.authentication.k8s.io/v1";
    plugin.install_hint = "get it";
    plugin.provide_cluster_info = true;
    plugin.interactive_mode = kube::exec_plugin::interaction::always;
    plugin.cluster_config = R"({"audience":"x"})";
    auto const text = kube::to_kubeconfig(c, "n");
    auto const back = kube::parse_kubeconfig(text);
    BOOST_TEST_REQUIRE(back.has_value(), text);
    BOOST_TEST(kube::to_kubeconfig(*back, "n") == text);
    BOOST_TEST(back->as.extra.at("scopes").at(0) == "a");
    BOOST_TEST(back->as.user == "other");
    BOOST_TEST(back->as.uid == "7");
    BOOST_TEST(back->as.groups.size() == 1U);
    BOOST_TEST(back->username == "me");
    BOOST_TEST(back->password == "secret");
    BOOST_TEST(back->proxy_url == c.proxy_url);
    BOOST_TEST(back->disable_compression);
    BOOST_TEST(back->exec->command == "/opt/aws");
    BOOST_TEST(back->exec->args.size() == 1U);
    BOOST_TEST(back->exec->env.at(0).second == "b");
    BOOST_TEST(back->exec->install_hint == "get it");
    BOOST_TEST(back->exec->provide_cluster_info);
    BOOST_TEST(back->exec->cluster_config == plugin.cluster_config);
    BOOST_TEST((back->exec->interactive_mode == plugin.interactive_mode));

    c.exec.reset();
    auto& provider = c.oidc.emplace();
    provider.issuer_url = "https://i";
    provider.client_id = "id";
    provider.ca_pem = "CA";
    provider.refresh_token = "r";
    auto const other = kube::to_kubeconfig(c, "n");
    auto const read = kube::parse_kubeconfig(other);
    BOOST_TEST_REQUIRE(read.has_value(), other);
    BOOST_TEST(kube::to_kubeconfig(*read, "n") == other);
    BOOST_TEST(read->oidc->ca_pem == "CA");
    BOOST_TEST(read->oidc->issuer_url == "https://i");
    BOOST_TEST(read->oidc->client_id == "id");
    BOOST_TEST(read->oidc->refresh_token == "r");
}

// Go's scheme has only Config of v1, and both words may be missing.
BOOST_AUTO_TEST_CASE(an_object_of_another_kind_is_no_kubeconfig) {
    std::string const rest = config_text("token: t");
    auto const begin = [&](std::string const& text) {
        auto const c = kube::parse_kubeconfig(text + rest.substr(rest.find("current-context")));
        return c ? "none" : c.error().to_string();
    };
    BOOST_TEST(begin("") == "none");
    BOOST_TEST(begin("kind: Config\n") == "none");
    BOOST_TEST(begin("apiVersion: v1\n") == "none");
    BOOST_TEST(begin("apiVersion: v1\nkind: Pod\n") == "kind: expected Config, got \"Pod\"");
    BOOST_TEST(begin("kind: config\n") == "kind: expected Config, got \"config\"");
    BOOST_TEST(begin("apiVersion: v2\nkind: Config\n") == "apiVersion: expected v1, got \"v2\"");
    BOOST_TEST(begin("apiVersion: kubeflow.org/v1\n") == "apiVersion: expected v1, got \"kubeflow.org/v1\"");
}

BOOST_AUTO_TEST_SUITE_END()
