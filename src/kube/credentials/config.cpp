#include <kftrain/kube/config.hpp>

#include "kube/credentials/kubeconfig.hpp"
#include "kube/http/proxy_address.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace kftrain::kube {
namespace detail {
namespace {

/// The extension of a cluster that plugins receive. Upstream: client-go `pkg/apis/clientauthentication`.
constexpr std::string_view plugin_extension = "client.authentication.k8s.io/exec";

/// Null if there is none. An empty name is a name like any other.
template <class Entry> Entry const* find_entry(std::vector<Entry> const& list, std::string const& name) {
    auto const found = std::find_if(list.begin(), list.end(), [&](Entry const& e) { return e.name == name; });
    return found == list.end() ? nullptr : &*found;
}

failure no_entry(std::string field, std::string const& name) {
    return config_fault(std::move(field), "no entry has the name " + in_quotes(name));
}

result<void> take_cluster(named_cluster const& entry, config& c) {
    auto const& cluster = entry.cluster;
    auto const path = "clusters[" + entry.name + "].cluster";
    if (cluster.server.empty()) return config_fault(path + ".server", "expected a server, got none");
    for (auto const& [field, text] : {std::pair<char const*, std::string const&>{".server", cluster.server},
                                      {".tls-server-name", cluster.tls_server_name},
                                      {".proxy-url", cluster.proxy_url}})
        if (auto ok = refuse_controls(path + field, text); !ok) return ok;
    auto ca = pem_of(path, "certificate-authority", cluster.certificate_authority_data, cluster.certificate_authority);
    if (!ca) return ca.error();
    if (!ca->empty() && cluster.insecure_skip_tls_verify)
        return config_fault(path + ".insecure-skip-tls-verify", "cannot be combined with certificate-authority");
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

result<config> read_context(kubeconfig const& file, selection const& wanted) {
    auto const& name = wanted.context.empty() ? file.current_context : wanted.context;
    auto const* const entry = find_entry(file.contexts, name);
    if (entry == nullptr && !name.empty()) return no_entry("contexts", name);
    // Without any context, the cluster and the user without a name count.
    auto const context = entry != nullptr ? entry->context : kubeconfig_context();
    auto const path = "contexts[" + name + "].context";
    auto const* const cluster = find_entry(file.clusters, context.cluster);
    if (entry == nullptr && cluster == nullptr)
        return config_fault("current-context", "is empty, and the caller selected no context");
    if (cluster == nullptr) return no_entry(path + ".cluster", context.cluster);
    auto const* const user = find_entry(file.users, context.user);
    if (user == nullptr && !context.user.empty()) return no_entry(path + ".user", context.user);

    config c;
    c.context = name;
    c.context_user = context.user;
    if (user != nullptr) {
        if (wanted.inline_only)
            if (auto ok = refuse_files(user->user, "users[" + context.user + "].user"); !ok) return ok.error();
        if (auto ok = take_user(*user, c); !ok) return ok.error();
    }
    if (wanted.inline_only)
        if (auto ok = refuse_files(cluster->cluster, "clusters[" + context.cluster + "].cluster"); !ok)
            return ok.error();
    if (auto ok = take_cluster(*cluster, c); !ok) return ok.error();
    if (context.namespace_.empty()) return c;
    if (auto const faults = dns_label_faults(context.namespace_); !faults.empty())
        return config_fault(path + ".namespace", in_quotes(context.namespace_) + ": " + faults.front());
    c.namespace_ = context.namespace_;
    return c;
}

} // namespace

failure naming(std::vector<std::string> const& files, failure fault) {
    std::string names;
    for (auto const& name : files)
        if (!name.empty()) names.append(names.empty() ? "" : ", ").append(in_quotes(name));
    if (!names.empty()) fault.detail.message += " (in the kubeconfig " + names + ")";
    return fault;
}

result<config> select_context(kubeconfig const& file, selection const& wanted, std::vector<std::string> const& files) {
    auto c = read_context(file, wanted);
    if (!c) return naming(files, c.error());
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
    if (!text) return detail::unread(file, text.error());
    auto read = detail::read_kubeconfig(*text);
    if (!read) return detail::naming({file}, read.error());
    if (options.directory.empty()) options.directory = std::filesystem::path(file).parent_path();
    detail::resolve_files(*read, options.directory);
    return detail::select_context(*read, detail::selection(options.context, options.inline_only), {file});
}

result<config> load_kubeconfigs(std::vector<std::string> const& files, kubeconfig_options options) {
    auto const merged = detail::read_kubeconfigs(files, options.directory);
    if (!merged) return merged.error();
    return detail::select_context(*merged, detail::selection(options.context, options.inline_only), files);
}

result<config> in_cluster_config(std::string const& folder, std::string_view host, std::string_view port) {
    using detail::config_fault;
    if (host.empty()) return config_fault("host", "expected the address of the API server, got none");
    if (port.empty()) return config_fault("port", "expected the port of the API server, got none");
    std::filesystem::path const directory = folder;
    config c;
    bool const ipv6 = host.find(':') != std::string_view::npos;
    c.server = "https://" + (ipv6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::string(port);
    auto const read = [&](std::string const& name) -> result<std::string> {
        auto const file = (directory / name).string();
        auto text = detail::content_of(file);
        if (!text) return config_fault(name, "cannot read " + in_quotes(file) + ": " + text.error().detail.message);
        if (detail::without_blanks(*text).empty()) return config_fault(name, in_quotes(file) + " is empty");
        return text;
    };
    c.token_file = (directory / "token").string();
    if (auto const token = read("token"); !token) return token.error();
    c.ca_file = (directory / "ca.crt").string();
    auto ca = read("ca.crt");
    if (!ca) return ca.error();
    c.ca_pem = std::move(*ca);
    if (auto const name = read("namespace")) c.namespace_ = detail::without_blanks(*name);
    return c;
}

} // namespace kftrain::kube
