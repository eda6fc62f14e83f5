#ifndef KFTRAIN_KUBE_CONFIG_HPP
#define KFTRAIN_KUBE_CONFIG_HPP

/** @file The address of an API server, and how to authenticate.
    @par Upstream client-go `tools/clientcmd`, `rest/config.go` */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/boxed.hpp>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube {

/** A command that prints credentials: the kubeconfigs of EKS, GKE and AKS use one instead of a token.
    @par Upstream client-go `tools/clientcmd/api/v1/types.go`, `ExecConfig` */
struct exec_plugin {
    exec_plugin() = default;

    /// Whether the command may prompt the user. The library never passes its standard input to the command, so a prompt
    /// cannot be answered; `always` is therefore rejected.
    enum class interaction { never, if_available, always };

    std::string command; ///< a path if it contains a slash, otherwise a name that is looked up in PATH
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> env; ///< added to the environment of the process; overrides it
    std::string api_version;           ///< `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`
    std::string install_hint;          ///< shown if the command is missing
    bool provide_cluster_info = false; ///< pass server, trusted certificates and proxy to the command
    interaction interactive_mode = interaction::if_available;
    std::string cluster_config; ///< JSON for the command from the cluster entry; used with `provide_cluster_info`
};

/** Tokens of an OpenID Connect provider, and how to refresh them.
    @par Upstream client-go `plugin/pkg/client/auth/oidc` */
struct oidc_provider {
    oidc_provider() = default;

    std::string issuer_url;
    std::string client_id;
    std::string client_secret;
    std::string ca_pem; ///< trusted certificates for the issuer; empty: those of the system
    std::string id_token;
    std::string refresh_token;
    std::optional<std::string> proxy_url; ///< proxy to the issuer, empty: none; not set: the proxy of the server
};

/** The user to impersonate, if the RBAC rules of the server allow it. The uid, the groups and `extra` need a user.
    @par Upstream client-go `transport/round_trippers.go` */
struct impersonation {
    impersonation() = default;

    std::string user;
    std::string uid;
    std::vector<std::string> groups;
    std::map<std::string, std::vector<std::string>, std::less<>> extra;

    bool empty() const noexcept { return user.empty() && uid.empty() && groups.empty() && extra.empty(); }
    impersonation& with_user(std::string name) { return user = std::move(name), *this; }
    impersonation& with_uid(std::string id) { return uid = std::move(id), *this; }
    impersonation& with_groups(std::vector<std::string> names) { return groups = std::move(names), *this; }
};

/** The configuration that a transport needs to connect to a server. Contains secrets: do not log it. A client
    certificate, a static token or basic authentication takes precedence over @ref exec and @ref oidc, which are then
    not used. */
struct config {
    config() = default;

    std::string context;                ///< of the kubeconfig, and
    std::string context_user;           ///< the entry of its user; for messages only
    std::string server;                 ///< URL; a path in it prefixes every request
    std::string namespace_ = "default"; ///< for calls without a namespace
    std::string ca_pem;                 ///< trusted certificates; empty: those of the system
    std::string ca_file;                ///< file that `ca_pem` was read from, if any
    bool insecure_skip_tls_verify = false;
    std::string tls_server_name;      ///< expected in the server's certificate instead of the host of the URL
    std::string proxy_url;            ///< `http://`, `socks5://` or `socks5h://`, optionally with user and password
    bool disable_compression = false; ///< overrides client_options::gzip
    std::string token;                ///< bearer token
    std::string token_file; ///< read again after https_options::file_interval; replaces `token` once it can be read
    std::string client_certificate_pem;
    std::string client_certificate_file; ///< as `ca_file`
    std::string client_key_pem;
    std::string client_key_file; ///< as `ca_file`
    std::string username;        ///< for basic authentication
    std::string password;
    impersonation as;
    boxed<exec_plugin> exec;
    boxed<oidc_provider> oidc;
};

/// Selects a context of a kubeconfig, and the base directory of its relative paths.
struct kubeconfig_options {
    kubeconfig_options() = default;

    std::string context;   ///< empty: `current-context`
    std::string directory; ///< relative file names are resolved against it immediately; empty: the current directory
    /// Reject a kubeconfig that names files. Set this for a kubeconfig from an untrusted source, which could otherwise
    /// send local files to its server.
    bool inline_only = false;

    kubeconfig_options& with_context(std::string name) { return context = std::move(name), *this; }
    kubeconfig_options& with_inline_only(bool on = true) { return inline_only = on, *this; }
    kubeconfig_options& with_directory(std::string p) { return directory = std::move(p), *this; }
};

/** Parses one kubeconfig text. Immediately reads the certificate and key files that it names. Does not read the
    environment and runs no plugin. Files must be regular files of at most 1 MiB, kubeconfigs of at most 16 MiB.
    @par Errors `errc::syntax` and the other decoding errors; `errc::invalid_argument` for a missing context, cluster,
    user, server or file, duplicate names, contradicting fields, misplaced control characters, and file names with
    `inline_only`; `errc::not_supported`, naming the field, for providers other than `oidc`, and for unsupported plugin
    versions and proxies. Messages contain no values from the `users` entries. */
[[nodiscard]] result<config> parse_kubeconfig(std::string_view text, kubeconfig_options const& options = {});

/// The same from a file. An empty `options.directory` stands for the directory of the file.
[[nodiscard]] result<config> load_kubeconfig(std::string const& file, kubeconfig_options options = {});

/** The same from several files, as KUBECONFIG lists them. If several files define the same entry or a current
    context, the first one wins as a whole. Relative paths are relative to the file that contains them. Missing files
    are skipped, but at least one must exist.
    @par Errors As parse_kubeconfig(); reports all unreadable files at once. */
[[nodiscard]] result<config> load_kubeconfigs(std::vector<std::string> const& files, kubeconfig_options options = {});

/** Returns the configuration of a pod: `token`, `ca.crt` and `namespace` in `directory` (usually
    `/var/run/secrets/kubernetes.io/serviceaccount`), the server at `host` and `port` (usually the values of
    KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which the caller reads).
    @par Errors `errc::invalid_argument`, naming the file or argument. */
[[nodiscard]] result<config> in_cluster_config(std::string const& directory, std::string_view host,
                                               std::string_view port);

/// Returns a kubeconfig text with one cluster, user and context named `name`, which parse_kubeconfig() can read.
std::string to_kubeconfig(config const& c, std::string_view name);
/// Returns the same text with a user and a context for each of `others`, named by config::context; such as
/// local_cluster::user_configs().
std::string to_kubeconfig(config const& c, std::string_view name, std::span<config const> others);

} // namespace kftrain::kube

#endif
