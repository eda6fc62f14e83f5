#include <kftrain/kube/config.hpp>

#include "kube/kubeconfig.hpp"
#include "model/scalars/base64.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace kftrain::kube {
namespace {

namespace fs = std::filesystem;
using namespace detail;

failure refused(std::string path, std::string message, errc code = errc::invalid_argument) {
    diagnostics d;
    d.path = std::move(path);
    d.message = std::move(message);
    return {code, std::move(d)};
}

std::string in_quotes(std::string_view s) { return "\"" + std::string(s) + "\""; }

std::optional<std::string> read_file(fs::path const& file) {
    std::error_code ec;
    if (!fs::is_regular_file(file, ec)) return {};
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) return {};
    return text;
}

std::string trimmed(std::string_view s) {
    auto const begin = s.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return std::string(s.substr(begin, s.find_last_not_of(" \t\r\n") - begin + 1));
}

/// A file that holds secrets: whoever reads what is wrong with it shall not read its values.
failure without_values(failure f) {
    auto& text = f.detail.message;
    text.resize(std::min(text.find(", got "), text.size()));
    auto const begin = text.find('"'), end = text.rfind('"');
    if (begin != std::string::npos) text.replace(begin, end - begin + 1, "[hidden]");
    return f;
}

/// Contents given as base64, else in a file; the former wins.
result<std::string> contents(std::string const& path, std::string const& field, std::string const& data,
                             std::string const& file, fs::path const& directory) {
    if (!data.empty()) {
        auto bytes = base64_decode(data);
        if (!bytes || bytes->empty()) return refused(path + "." + field + "-data", "expected base64");
        return std::move(*bytes);
    }
    if (file.empty()) return std::string();
    if (file.find("-----BEGIN") != std::string::npos)
        return refused(path + "." + field, "expected the name of a file, got PEM text");
    auto text = read_file(directory / file);
    if (!text || text->empty())
        return refused(path + "." + field,
                       "cannot read " + in_quotes((directory / file).string()) + ", or it is empty");
    return std::move(*text);
}

template <class Entry>
result<Entry const*> find(std::vector<Entry> const& list, std::string const& field, std::string const& name) {
    Entry const* found = nullptr;
    for (auto const& e : list) {
        if (e.name != name) continue;
        if (found != nullptr) return refused(field, in_quotes(name) + " is defined twice");
        found = &e;
    }
    if (found == nullptr) return refused(field, "there is no entry " + in_quotes(name));
    return found;
}

result<void> take_cluster(named_cluster const& entry, fs::path const& directory, config& c) {
    auto const& cluster = entry.cluster;
    auto const path = "clusters[" + entry.name + "].cluster";
    if (!cluster.proxy_url.empty())
        return refused(path + ".proxy-url", "proxies are not supported", errc::not_supported);
    if (cluster.server.empty()) return refused(path + ".server", "a server is needed");
    auto ca = contents(path, "certificate-authority", cluster.certificate_authority_data, cluster.certificate_authority,
                       directory);
    if (!ca) return ca.error();
    if (!ca->empty() && cluster.insecure_skip_tls_verify)
        return refused(path + ".insecure-skip-tls-verify", "may not be set together with certificate-authority");
    c.server = cluster.server;
    c.ca_pem = std::move(*ca);
    c.insecure_skip_tls_verify = cluster.insecure_skip_tls_verify;
    c.tls_server_name = cluster.tls_server_name;
    return {};
}

result<void> take_user(named_user const& entry, fs::path const& directory, config& c) {
    auto const& user = entry.user;
    auto const path = "users[" + entry.name + "].user";
    std::pair<char const*, bool> const unsupported[] = {{"exec", !user.exec.text.empty()},
                                                        {"auth-provider", !user.auth_provider.text.empty()},
                                                        {"username", !user.username.empty()},
                                                        {"password", !user.password.empty()},
                                                        {"as", !user.as.empty()},
                                                        {"as-uid", !user.as_uid.text.empty()},
                                                        {"as-groups", !user.as_groups.text.empty()},
                                                        {"as-user-extra", !user.as_user_extra.text.empty()}};
    for (auto const& [field, set] : unsupported)
        if (set) return refused(path + "." + field, "this way of authentication is not supported", errc::not_supported);
    auto certificate =
        contents(path, "client-certificate", user.client_certificate_data, user.client_certificate, directory);
    if (!certificate) return certificate.error();
    auto key = contents(path, "client-key", user.client_key_data, user.client_key, directory);
    if (!key) return key.error();
    if (certificate->empty() != key->empty())
        return refused(path + (key->empty() ? ".client-key" : ".client-certificate"),
                       "a client certificate and its key must be given together");
    c.client_certificate_pem = std::move(*certificate);
    c.client_key_pem = std::move(*key);
    c.token = user.token;
    if (!user.token_file.empty()) c.token_file = (directory / user.token_file).string();
    return {};
}

} // namespace

result<config> parse_kubeconfig(std::string_view text, kubeconfig_options const& options) {
    result<kubeconfig> file = kubeconfig(); // what an empty file stands for
    if (!trimmed(text).empty()) file = from_yaml<kubeconfig>(text);
    if (!file) return without_values(file.error());
    auto const& name = options.context.empty() ? file->current_context : options.context;
    if (name.empty()) return refused("current-context", "is empty, and no context was asked for");
    auto const context = find(file->contexts, "contexts", name);
    if (!context) return context.error();
    auto const path = "contexts[" + name + "].context";
    auto const cluster = find(file->clusters, path + ".cluster", (*context)->context.cluster);
    if (!cluster) return cluster.error();

    config c;
    if (auto ok = take_cluster(**cluster, options.directory, c); !ok) return ok.error();
    if (auto const& user_name = (*context)->context.user; !user_name.empty()) {
        auto const user = find(file->users, path + ".user", user_name);
        if (!user) return user.error();
        if (auto ok = take_user(**user, options.directory, c); !ok) return ok.error();
    }
    if (!(*context)->context.namespace_.empty()) c.namespace_ = (*context)->context.namespace_;
    return c;
}

result<config> load_kubeconfig(std::string const& file, kubeconfig_options options) {
    auto const text = read_file(file);
    if (!text) return refused("", "cannot read the kubeconfig " + in_quotes(file));
    if (options.directory.empty()) options.directory = fs::path(file).parent_path();
    return parse_kubeconfig(*text, options);
}

result<config> in_cluster_config(std::string const& folder, std::string_view host, std::string_view port) {
    if (host.empty()) return refused("host", "the address of the API server is needed");
    if (port.empty()) return refused("port", "the port of the API server is needed");
    fs::path const directory = folder;
    config c;
    bool const ipv6 = host.find(':') != std::string_view::npos;
    c.server = "https://" + (ipv6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::string(port);
    c.token_file = (directory / "token").string();
    if (auto const token = read_file(c.token_file); !token || trimmed(*token).empty())
        return refused("token", "cannot read " + in_quotes(c.token_file) + ", or it is empty");
    auto ca = read_file(directory / "ca.crt");
    if (!ca || trimmed(*ca).empty())
        return refused("ca.crt", "cannot read " + in_quotes((directory / "ca.crt").string()) + ", or it is empty");
    c.ca_pem = std::move(*ca);
    if (auto const ns = read_file(directory / "namespace"); ns && !trimmed(*ns).empty()) c.namespace_ = trimmed(*ns);
    return c;
}

std::string to_kubeconfig(config const& c, std::string_view name) {
    auto const encoded = [](std::string const& s) { return s.empty() ? std::string() : base64_encode(s); };
    kubeconfig file;
    file.api_version = "v1";
    file.kind = "Config";
    file.current_context = name;
    auto& cluster = file.clusters.emplace_back();
    cluster.name = name;
    cluster.cluster.server = c.server;
    cluster.cluster.tls_server_name = c.tls_server_name;
    cluster.cluster.insecure_skip_tls_verify = c.insecure_skip_tls_verify;
    cluster.cluster.certificate_authority_data = encoded(c.ca_pem);
    auto& user = file.users.emplace_back();
    user.name = name;
    user.user.token = c.token;
    user.user.token_file = c.token_file;
    user.user.client_certificate_data = encoded(c.client_certificate_pem);
    user.user.client_key_data = encoded(c.client_key_pem);
    auto& context = file.contexts.emplace_back();
    context.name = name;
    context.context.cluster = name;
    context.context.user = name;
    context.context.namespace_ = c.namespace_;
    std::string out;
    encode_yaml(descriptor_of<kubeconfig>(), &file, out);
    return out;
}

} // namespace kftrain::kube
