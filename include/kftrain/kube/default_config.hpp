#ifndef KFTRAIN_KUBE_DEFAULT_CONFIG_HPP
#define KFTRAIN_KUBE_DEFAULT_CONFIG_HPP

/** @file
    Where a configuration is found when nobody names one.
    @par Upstream client-go `tools/clientcmd/{loader,client_config}.go` */

#include <kftrain/kube/config.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// Variables by name, as a process has them.
using environment = std::map<std::string, std::string, std::less<>>;

/// The variables of this process. Nothing else in the library asks for them: an application that wants this calls it.
environment process_environment();

/// What default_config() is told beside the environment.
struct default_config_options {
    default_config_options() = default;

    std::string kubeconfig; ///< the only file to read, which must exist; empty: those of the environment
    std::string context;    ///< empty: `current-context`
    std::string service_account_directory = "/var/run/secrets/kubernetes.io/serviceaccount"; ///< of a pod

    default_config_options& with_kubeconfig(std::string file) { return kubeconfig = std::move(file), *this; }
    default_config_options& with_context(std::string name) { return context = std::move(name), *this; }
    default_config_options& with_service_account_directory(std::string path) {
        return service_account_directory = std::move(path), *this;
    }
};

/** The proxy that HTTPS_PROXY, or HTTP_PROXY for an `http` URL, names for this server, in upper or lower case; empty if there is none, for this
    machine itself, and where NO_PROXY excludes the server: separated by commas, an address, a network such as `10.0.0.0/8`, a domain
    with all below it, with a leading dot only what is below it, each perhaps with a port, or `*`.
    @par Upstream Go's `golang.org/x/net/http/httpproxy` */
std::string proxy_of(environment const& env, std::string_view server);

/** The configuration that kubectl would use: of the file in `options`; else of the files that KUBECONFIG lists, separated by
    colons; else of `.kube/config` in HOME; and where these hold nothing, and no context was asked for, that of the pod it
    runs in, by KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. The namespace of a pod is POD_NAMESPACE, if that is set.
    A server without `proxy-url` is reached by proxy_of(). Reads files; `env` is all that it knows of the environment.

        auto config = kube::default_config(kube::process_environment());

    @par Errors As load_kubeconfigs() and in_cluster_config(); `errc::invalid_argument`, with all places that were looked at, if there
    is nothing. */
result<config> default_config(environment const& env, default_config_options const& options = {});

} // namespace kftrain::kube

#endif
