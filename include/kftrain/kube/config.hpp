#ifndef KFTRAIN_KUBE_CONFIG_HPP
#define KFTRAIN_KUBE_CONFIG_HPP

/** @file
    Where an API server is and how to be believed there.
    @par Upstream client-go `tools/clientcmd`, `rest/config.go` */

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>

namespace kftrain::kube {

/** All that a transport must know about a server. A value; holds secrets, so do not log it. */
struct config {
    config() = default;

    std::string server;                 ///< URL; a path in it prefixes every request
    std::string namespace_ = "default"; ///< for calls that name none
    std::string ca_pem;                 ///< trusted certificates; empty: those of the system
    bool insecure_skip_tls_verify = false;
    std::string tls_server_name; ///< expected in the server's certificate instead of the host of the URL
    std::string token;           ///< bearer token
    std::string token_file;      ///< read again at most once a minute; wins over `token` once it was readable
    std::string client_certificate_pem;
    std::string client_key_pem;
};

/// Which part of a kubeconfig to take and where its relative paths start.
struct kubeconfig_options {
    kubeconfig_options() = default;

    std::string context;   ///< empty: `current-context`
    std::string directory; ///< relative file names are resolved against it

    kubeconfig_options& with_context(std::string name) { return context = std::move(name), *this; }
    kubeconfig_options& with_directory(std::string p) { return directory = std::move(p), *this; }
};

/** Reads one kubeconfig text. Certificate and key files that it names are read; the environment is not.
    @par Errors `errc::syntax` and the other decoding errors; `errc::invalid_argument` for a missing context, cluster,
    user, server, file, or contradicting fields; `errc::not_supported`, naming the field, for `exec`, `auth-provider`,
    `proxy-url`, `username` and impersonation. */
result<config> parse_kubeconfig(std::string_view text, kubeconfig_options const& options = {});

/// The same from a file. An empty `options.directory` means the file's own.
result<config> load_kubeconfig(std::string const& file, kubeconfig_options options = {});

/** The configuration of a pod: `token`, `ca.crt` and `namespace` in `directory` (usually
    `/var/run/secrets/kubernetes.io/serviceaccount`), the server at `host` and `port` (usually the values of
    KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which the caller reads).
    @par Errors `errc::invalid_argument`, naming the file or argument. */
result<config> in_cluster_config(std::string const& directory, std::string_view host, std::string_view port);

/// A kubeconfig text with one cluster, user and context named `name`, which parse_kubeconfig() reads back.
std::string to_kubeconfig(config const& c, std::string_view name);

} // namespace kftrain::kube

#endif
