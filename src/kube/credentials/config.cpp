#include <kftrain/kube/config.hpp>

#include "kube/credentials/kubeconfig.hpp"
#include "kube/transport/proxy_address.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/model/codec.hpp>

#include <filesystem>
#include <utility>

namespace kftrain::kube {
namespace detail {
namespace {

/// The extension of a cluster that plugins are told. Upstream: client-go `pkg/apis/clientauthentication`.
constexpr std::string_view plugin_extension = "client.authentication.k8s.io/exec";

template <class Entry>
result<Entry const*> find_entry(std::vector<Entry> const& list, std::string const& field, std::string const& name) {
    for (auto const& e : list)
        if (e.name == name) return &e;
    return config_fault(field, "there is no entry " + in_quotes(name));
}

result<void> take_cluster(named_cluster const& entry, config& c) {
    auto const& cluster = entry.cluster;
    auto const path = "clusters[" + entry.name + "].cluster";
    if (cluster.server.empty()) return config_fault(path + ".server", "a server is needed");
    for (auto const& [field, text] : {std::pair<char const*, std::string const&>{".server", cluster.server},
                                      {".tls-server-name", cluster.tls_server_name},
                                      {".proxy-url", cluster.proxy_url}})
        if (auto ok = refuse_controls(path + field, text); !ok) return ok;
    auto ca = pem_of(path, "certificate-authority", cluster.certificate_authority_data, cluster.certificate_authority);
    if (!ca) return ca.error();
    if (!ca->empty() && cluster.insecure_skip_tls_verify)
        return config_fault(path + ".insecure-skip-tls-verify", "may not be set together with certificate-authority");
    if (!cluster.proxy_url.empty())
        if (auto const proxy = parse_proxy_url(cluster.proxy_url); !proxy)
            return config_fault(path + ".proxy-url", proxy.error().detail.message,
                                proxy.error().code == errc::not_supported ? errc::not_supported
                                                                          : errc::invalid_argument);
    c.server = cluster.server;
    c.ca_pem = std::move(*ca);
    if (cluster.certificate_authority_data.empty()) c.ca_file = cluster.certificate_authority;
    c.insecure_skip_tls_verify = cluster.insecure_skip_tls_verify;
    c.tls_server_name = cluster.tls_server_name;
    c.proxy_url = cluster.proxy_url;
    c.disable_compression = cluster.disable_compression;
    if (c.exec)
        for (auto const& e : cluster.extensions)
            if (e.name == plugin_extension) c.exec->cluster_config = e.extension.text;
    return {};
}

} // namespace

result<config> select_context(kubeconfig const& file, selection const& wanted) {
    auto const& name = wanted.context.empty() ? file.current_context : wanted.context;
    if (name.empty()) return config_fault("current-context", "is empty, and no context was asked for");
    auto const entry = find_entry(file.contexts, "contexts", name);
    if (!entry) return entry.error();
    auto const& context = (*entry)->context;
    auto const path = "contexts[" + name + "].context";
    auto const cluster = find_entry(file.clusters, path + ".cluster", context.cluster);
    if (!cluster) return cluster.error();

    config c;
    if (!context.user.empty()) {
        auto const user = find_entry(file.users, path + ".user", context.user);
        if (!user) return user.error();
        if (wanted.inline_only)
            if (auto ok = refuse_files((*user)->user, "users[" + context.user + "].user"); !ok) return ok.error();
        if (auto ok = take_user(**user, c); !ok) return ok.error();
    }
    if (wanted.inline_only)
        if (auto ok = refuse_files((*cluster)->cluster, "clusters[" + context.cluster + "].cluster"); !ok)
            return ok.error();
    if (auto ok = take_cluster(**cluster, c); !ok) return ok.error();
    if (context.namespace_.empty()) return c;
    if (auto const faults = dns_label_faults(context.namespace_); !faults.empty())
        return config_fault(path + ".namespace", in_quotes(context.namespace_) + ": " + faults.front());
    c.namespace_ = context.namespace_;
    return c;
}

} // namespace detail

result<config> parse_kubeconfig(std::string_view text, kubeconfig_options const& options) {
    auto file = detail::read_kubeconfig(text);
    if (!file) return file.error();
    detail::resolve_files(*file, options.directory);
    return detail::select_context(*file, detail::selection(options.context, options.inline_only));
}

result<config> load_kubeconfig(std::string const& file, kubeconfig_options options) {
    auto const text = detail::content_of(file, detail::longest_kubeconfig);
    if (!text) return detail::config_fault("", "cannot read the kubeconfig " + detail::in_quotes(file));
    if (options.directory.empty()) options.directory = std::filesystem::path(file).parent_path();
    return parse_kubeconfig(*text, options);
}

result<config> load_kubeconfigs(std::vector<std::string> const& files, kubeconfig_options options) {
    auto const merged = detail::read_kubeconfigs(files, options.directory);
    if (!merged) return merged.error();
    return detail::select_context(*merged, detail::selection(options.context, options.inline_only));
}

result<config> in_cluster_config(std::string const& folder, std::string_view host, std::string_view port) {
    using detail::config_fault;
    if (host.empty()) return config_fault("host", "the address of the API server is needed");
    if (port.empty()) return config_fault("port", "the port of the API server is needed");
    std::filesystem::path const directory = folder;
    config c;
    bool const ipv6 = host.find(':') != std::string_view::npos;
    c.server = "https://" + (ipv6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::string(port);
    auto const read = [&](std::string const& name) {
        auto const text = detail::content_of(directory / name);
        return text ? detail::without_blanks(*text) : std::string();
    };
    auto const unreadable = [](std::string const& name, std::string const& file) {
        return config_fault(name, "cannot read " + detail::in_quotes(file) + ", or it is empty");
    };
    c.token_file = (directory / "token").string();
    if (read("token").empty()) return unreadable("token", c.token_file);
    c.ca_file = (directory / "ca.crt").string();
    if (read("ca.crt").empty()) return unreadable("ca.crt", c.ca_file);
    c.ca_pem = detail::content_of(c.ca_file).value_or("");
    if (auto name = read("namespace"); !name.empty()) c.namespace_ = std::move(name);
    return c;
}

} // namespace kftrain::kube
