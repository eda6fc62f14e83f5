#include "kube/credentials/kubeconfig.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kube {
namespace detail {
namespace {

/// Names the file of data that can change; other data becomes part of the text.
void put_pem(std::string const& pem, std::string const& from, std::string& data, std::string& file) {
    if (!from.empty())
        file = from;
    else if (!pem.empty())
        data = base64_encode(pem);
}

std::string name_of(exec_plugin::interaction mode) {
    switch (mode) {
    case exec_plugin::interaction::never: return "Never";
    case exec_plugin::interaction::always: return "Always";
    case exec_plugin::interaction::if_available: break;
    }
    return "IfAvailable";
}

kubeconfig_exec written(exec_plugin const& plugin) {
    kubeconfig_exec out;
    out.api_version = plugin.api_version;
    out.command = plugin.command;
    out.args = plugin.args;
    for (auto const& [name, value] : plugin.env) {
        auto& variable = out.env.emplace_back();
        variable.name = name;
        variable.value = value;
    }
    out.install_hint = plugin.install_hint;
    out.provide_cluster_info = plugin.provide_cluster_info;
    out.interactive_mode = name_of(plugin.interactive_mode);
    return out;
}

kubeconfig_provider written(oidc_provider const& provider) {
    kubeconfig_provider out;
    out.name = "oidc";
    auto const put = [&](char const* key, std::string const& value) {
        if (!value.empty()) out.config[key] = value;
    };
    put("idp-issuer-url", provider.issuer_url);
    put("client-id", provider.client_id);
    put("client-secret", provider.client_secret);
    put("idp-certificate-authority-data", provider.ca_pem.empty() ? "" : base64_encode(provider.ca_pem));
    put("id-token", provider.id_token);
    put("refresh-token", provider.refresh_token);
    return out;
}

kubeconfig_cluster written_cluster(config const& c) {
    kubeconfig_cluster out;
    out.server = c.server;
    out.tls_server_name = c.tls_server_name;
    out.insecure_skip_tls_verify = c.insecure_skip_tls_verify;
    put_pem(c.ca_pem, c.ca_file, out.certificate_authority_data, out.certificate_authority);
    out.proxy_url = c.proxy_url;
    out.disable_compression = c.disable_compression;
    if (!c.exec || c.exec->cluster_config.empty()) return out;
    auto& extension = out.extensions.emplace_back();
    extension.name = "client.authentication.k8s.io/exec";
    extension.extension.text = c.exec->cluster_config;
    return out;
}

kubeconfig_user written_user(config const& c) {
    kubeconfig_user out;
    out.token = c.token;
    out.token_file = c.token_file;
    out.username = c.username;
    out.password = c.password;
    put_pem(c.client_certificate_pem, c.client_certificate_file, out.client_certificate_data, out.client_certificate);
    put_pem(c.client_key_pem, c.client_key_file, out.client_key_data, out.client_key);
    out.as = c.as.user;
    out.as_uid = c.as.uid;
    out.as_groups = c.as.groups;
    out.as_user_extra = c.as.extra;
    if (c.exec) out.exec = written(*c.exec);
    if (c.oidc) out.auth_provider = written(*c.oidc);
    return out;
}

void add_context(kubeconfig& file, config const& c, std::string_view name, std::string_view cluster_name) {
    auto& user = file.users.emplace_back();
    user.name = name;
    user.user = written_user(c);
    auto& context = file.contexts.emplace_back();
    context.name = name;
    context.context.cluster = cluster_name;
    context.context.user = name;
    context.context.namespace_ = c.namespace_;
}

} // namespace
} // namespace detail

std::string to_kubeconfig(config const& c, std::string_view name, std::span<config const> others) {
    detail::kubeconfig file;
    file.api_version = "v1";
    file.kind = "Config";
    file.current_context = name;
    auto& cluster = file.clusters.emplace_back();
    cluster.name = name;
    cluster.cluster = detail::written_cluster(c);
    detail::add_context(file, c, name, name);
    for (auto const& other : others) detail::add_context(file, other, other.context, name);
    std::string out;
    encode_yaml(descriptor_of<detail::kubeconfig>(), &file, out);
    return out;
}

std::string to_kubeconfig(config const& c, std::string_view name) { return to_kubeconfig(c, name, {}); }

} // namespace kftrain::kube
