#ifndef KFTRAIN_KUBE_DEFAULT_CONFIG_HPP
#define KFTRAIN_KUBE_DEFAULT_CONFIG_HPP

/** @file The default configuration: where it is found if the caller names none.
    @par Upstream client-go `tools/clientcmd/{loader,client_config}.go` */

#include <kftrain/kube/config.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// Environment variables by name.
using environment = std::map<std::string, std::string, std::less<>>;

/// Returns the variables of this process. The library never reads them by itself: an application that wants them calls
/// this function.
environment process_environment();

/// Options of default_config(), in addition to the environment.
struct default_config_options {
    default_config_options() = default;

    std::string kubeconfig; ///< the only file to read, which must exist; empty: the files of the environment
    std::string context;    ///< empty: `current-context`
    /// Directory of the service account of a pod.
    std::string service_account_directory = "/var/run/secrets/kubernetes.io/serviceaccount";

    default_config_options& with_kubeconfig(std::string file) { return kubeconfig = std::move(file), *this; }
    default_config_options& with_context(std::string name) { return context = std::move(name), *this; }
    default_config_options& with_service_account_directory(std::string path) {
        return service_account_directory = std::move(path), *this;
    }
};

/** Returns the proxy for this server from HTTPS_PROXY, or HTTP_PROXY for an `http` URL, in upper or lower case.
    Empty without a proxy, for the local machine, and if NO_PROXY excludes the server. NO_PROXY is a comma-separated
    list of addresses, networks such as `10.0.0.0/8`, and domains including their subdomains (with a leading dot only
    the subdomains), each optionally with a port, or `*`.
    @par Upstream Go's `golang.org/x/net/http/httpproxy` */
std::string proxy_of(environment const& env, std::string_view server);

/** Returns the configuration that kubectl would use, from the first of these sources: the file in `options`; the
    files that KUBECONFIG lists, separated by colons; `.kube/config` in HOME; if they contain nothing and no context
    is requested, the service account of the pod, by KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT.
    POD_NAMESPACE, if set, is the namespace of a pod. proxy_of() applies to a server without `proxy-url`. Reads
    files; reads no environment other than `env`.

        auto config = kube::default_config(kube::process_environment());

    @par Errors As load_kubeconfigs() and in_cluster_config(); `errc::invalid_argument`, with all places that were
    searched, if there is no configuration. */
[[nodiscard]] result<config> default_config(environment const& env, default_config_options const& options = {});

/** Returns the file or directory with the certificates of authorities that this system trusts. Connections whose
    configuration has no `ca_pem` use it. The first of these: SSL_CERT_FILE, SSL_CERT_DIR, the place that OpenSSL was
    built for, the places of Debian, Fedora, SUSE and Alpine. Empty if there is none.

    OpenSSL reads both variables by itself. */
std::string find_system_authorities();

} // namespace kftrain::kube

#endif
