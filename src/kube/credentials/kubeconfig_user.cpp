#include "kube/credentials/kubeconfig.hpp"
#include "model/scalars/base64.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::string_view plugin_v1 = "client.authentication.k8s.io/v1";
constexpr std::string_view plugin_v1beta1 = "client.authentication.k8s.io/v1beta1";

result<exec_plugin::interaction> interaction_of(std::string const& path, kubeconfig_exec const& from) {
    if (from.interactive_mode == "Never") return exec_plugin::interaction::never;
    if (from.interactive_mode == "IfAvailable") return exec_plugin::interaction::if_available;
    if (from.interactive_mode == "Always") return exec_plugin::interaction::always;
    if (!from.interactive_mode.empty())
        return config_fault(path + ".interactiveMode",
                            "expected Never, IfAvailable or Always, got " + in_quotes(from.interactive_mode));
    if (from.api_version == plugin_v1beta1) return exec_plugin::interaction::if_available;
    return config_fault(path + ".interactiveMode", "is required with " + std::string(plugin_v1));
}

result<exec_plugin> plugin_of(std::string const& path, kubeconfig_exec const& from) {
    exec_plugin plugin;
    if (from.command.empty()) return config_fault(path + ".command", "expected a command, got none");
    if (from.api_version.empty()) return config_fault(path + ".apiVersion", "expected an apiVersion, got none");
    if (from.api_version != plugin_v1 && from.api_version != plugin_v1beta1)
        return config_fault(path + ".apiVersion",
                            "expected " + std::string(plugin_v1) + " or " + std::string(plugin_v1beta1) + ", got " +
                                in_quotes(from.api_version),
                            errc::not_supported);
    for (auto const& variable : from.env) {
        if (variable.name.empty()) return config_fault(path + ".env", "expected a name for each variable");
        if (variable.name.find('=') != std::string::npos)
            return config_fault(path + ".env", in_quotes(variable.name) + " is not a valid name of a variable");
        plugin.env.emplace_back(variable.name, variable.value);
    }
    auto const mode = interaction_of(path, from);
    if (!mode) return mode.error();
    plugin.command = from.command;
    plugin.args = from.args;
    plugin.api_version = from.api_version;
    plugin.install_hint = from.install_hint;
    plugin.provide_cluster_info = from.provide_cluster_info;
    plugin.interactive_mode = *mode;
    if (auto ok = check_plugin(plugin, path); !ok) return ok.error();
    return plugin;
}

result<oidc_provider> provider_of(std::string const& path, kubeconfig_provider const& from) {
    if (from.name != "oidc")
        return config_fault(path + ".name",
                            "expected oidc, got " + in_quotes(from.name) +
                                "; for other providers use a plugin in the field exec",
                            errc::not_supported);
    auto const value = [&](char const* key) {
        auto const found = from.config.find(key);
        return found != from.config.end() ? found->second : std::string();
    };
    oidc_provider provider;
    provider.issuer_url = value("idp-issuer-url");
    provider.client_id = value("client-id");
    provider.client_secret = value("client-secret");
    provider.id_token = value("id-token");
    provider.refresh_token = value("refresh-token");
    auto const at = path + ".config";
    if (provider.issuer_url.empty()) return config_fault(at + ".idp-issuer-url", "expected an issuer, got none");
    if (auto ok = refuse_controls(at + ".idp-issuer-url", provider.issuer_url); !ok) return ok.error();
    if (auto ok = refuse_unsendable(at + ".id-token", provider.id_token); !ok) return ok.error();
    if (provider.client_id.empty()) return config_fault(at + ".client-id", "expected a client id, got none");
    if (provider.id_token.empty() && provider.refresh_token.empty())
        return config_fault(at + ".refresh-token", "expected an id-token or a refresh-token, got neither");
    auto ca = pem_of(at, "idp-certificate-authority", value("idp-certificate-authority-data"),
                     value("idp-certificate-authority"));
    if (!ca) return ca.error();
    provider.ca_pem = std::move(*ca);
    return provider;
}

/// Refuses values that cannot be sent in a field of HTTP, as Go's `net/http` does for every request.
result<void> refuse_unsendable_fields(std::string const& path, kubeconfig_user const& user) {
    for (auto const& [field, text] :
         {std::pair<char const*, std::string const&>{".token", user.token}, {".as", user.as}, {".as-uid", user.as_uid}})
        if (auto ok = refuse_unsendable(path + field, text); !ok) return ok;
    for (auto const& group : user.as_groups)
        if (auto ok = refuse_unsendable(path + ".as-groups", group); !ok) return ok;
    for (auto const& [key, values] : user.as_user_extra)
        for (auto const& value : values)
            if (auto ok = refuse_unsendable(path + ".as-user-extra", value); !ok) return ok;
    return {};
}

/// Finds fields that exclude each other.
result<void> find_contradiction(std::string const& path, kubeconfig_user const& user) {
    bool const basic = !user.username.empty() || !user.password.empty();
    if (basic && (!user.token.empty() || !user.token_file.empty()))
        return config_fault(path + ".username", "cannot be combined with a token");
    if (basic && user.username.empty()) return config_fault(path + ".password", "needs a username");
    if (user.exec && user.auth_provider) return config_fault(path + ".exec", "cannot be combined with auth-provider");
    if (!user.as.empty()) return {};
    for (auto const& [field, set] :
         {std::pair{"as-uid", !user.as_uid.empty()}, std::pair{"as-groups", !user.as_groups.empty()},
          std::pair{"as-user-extra", !user.as_user_extra.empty()}})
        if (set) return config_fault(path + "." + field, "requires a user in the field as");
    return {};
}

} // namespace

result<void> check_plugin(exec_plugin const& plugin, std::string const& path) {
    if (auto ok = refuse_controls(path + ".command", plugin.command); !ok) return ok;
    for (auto const& argument : plugin.args)
        if (auto ok = refuse_nul(path + ".args", argument); !ok) return ok;
    for (auto const& [name, value] : plugin.env) {
        if (auto ok = refuse_controls(path + ".env", name); !ok) return ok;
        if (auto ok = refuse_nul(path + ".env", value); !ok) return ok;
    }
    return {};
}

result<void> take_user(named_user const& entry, config& c) {
    auto const& user = entry.user;
    auto const path = "users[" + entry.name + "].user";
    if (auto ok = find_contradiction(path, user); !ok) return ok.error();
    auto certificate = pem_of(path, "client-certificate", user.client_certificate_data, user.client_certificate);
    if (!certificate) return certificate.error();
    auto key = pem_of(path, "client-key", user.client_key_data, user.client_key);
    if (!key) return key.error();
    if (certificate->empty() != key->empty())
        return config_fault(path + (key->empty() ? ".client-key" : ".client-certificate"),
                            "expected a client certificate and its key, got only one of them");
    c.client_certificate_pem = std::move(*certificate);
    if (user.client_certificate_data.empty()) c.client_certificate_file = user.client_certificate;
    c.client_key_pem = std::move(*key);
    if (user.client_key_data.empty()) c.client_key_file = user.client_key;
    if (auto ok = refuse_controls(path + ".tokenFile", user.token_file); !ok) return ok.error();
    if (auto ok = refuse_unsendable_fields(path, user); !ok) return ok.error();
    c.token = user.token;
    c.token_file = user.token_file;
    c.username = user.username;
    c.password = user.password;
    c.as.user = user.as;
    c.as.uid = user.as_uid;
    c.as.groups = user.as_groups;
    c.as.extra = user.as_user_extra;
    if (user.exec) {
        auto plugin = plugin_of(path + ".exec", *user.exec);
        if (!plugin) return plugin.error();
        c.exec = std::move(*plugin);
    }
    if (user.auth_provider) {
        auto provider = provider_of(path + ".auth-provider", *user.auth_provider);
        if (!provider) return provider.error();
        c.oidc = std::move(*provider);
    }
    return {};
}

} // namespace kftrain::kube::detail
