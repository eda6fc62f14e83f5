#ifndef KFTRAIN_KUBE_CONFIG_HPP
#define KFTRAIN_KUBE_CONFIG_HPP

/** @file
    Where an API server is and how to be believed there.
    @par Upstream client-go `tools/clientcmd`, `rest/config.go` */

#include <kftrain/base/diagnostics.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube {

/** A command that prints credentials: what kubeconfigs of EKS, GKE and AKS name in the place of a token.
    @par Upstream client-go `tools/clientcmd/api/v1/types.go`, `ExecConfig` */
struct exec_plugin {
    exec_plugin() = default;

    /// Whether the command may ask a person. Nobody answers here: the standard input of the process is never lent.
    enum class interaction { never, if_available, always };

    std::string command; ///< a path if there is a slash in it, else a name that is looked for in PATH
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> env; ///< beside what the process itself has; wins over it
    std::string api_version;           ///< `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`
    std::string install_hint;          ///< told when the command is missing
    bool provide_cluster_info = false; ///< the command is told server, trust and proxy
    interaction interactive_mode = interaction::if_available;
    std::string cluster_config; ///< JSON of the cluster's extension for plugins; with `provide_cluster_info`
};

/** Tokens of an OpenID Connect provider, and how to get the next one.
    @par Upstream client-go `plugin/pkg/client/auth/oidc` */
struct oidc_provider {
    oidc_provider() = default;

    std::string issuer_url;
    std::string client_id;
    std::string client_secret;
    std::string ca_pem; ///< trusted by the issuer's name; empty: what the system trusts
    std::string id_token;
    std::string refresh_token;
    std::optional<std::string> proxy_url; ///< on the way to the issuer, empty for none; nothing: that of the server
};

/** Whom to act as, which the server allows by rules of its own. Without a user there is none.
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

/** All that a transport must know about a server. A value; holds secrets, so do not log it. Of several ways to be believed
    a static token and basic authentication come before @ref exec and @ref oidc, which are then not used. */
struct config {
    config() = default;

    std::string server;                 ///< URL; a path in it prefixes every request
    std::string namespace_ = "default"; ///< for calls that name none
    std::string ca_pem;                 ///< trusted certificates; empty: those of the system
    std::string ca_file;                ///< where `ca_pem` was read from, if anywhere
    bool insecure_skip_tls_verify = false;
    std::string tls_server_name;      ///< expected in the server's certificate instead of the host of the URL
    std::string proxy_url;            ///< `http://`, `socks5://` or `socks5h://`, perhaps with user and password
    bool disable_compression = false; ///< whatever client_options::gzip says
    std::string token;                ///< bearer token
    std::string token_file; ///< read again after https_options::file_interval; wins over `token` once it was readable
    std::string client_certificate_pem;
    std::string client_certificate_file; ///< as `ca_file`
    std::string client_key_pem;
    std::string client_key_file; ///< as `ca_file`
    std::string username;        ///< of basic authentication
    std::string password;
    impersonation as;
    std::optional<exec_plugin> exec;
    std::optional<oidc_provider> oidc;
};

/// Which part of a kubeconfig to take and where its relative paths start.
struct kubeconfig_options {
    kubeconfig_options() = default;

    std::string context;   ///< empty: `current-context`
    std::string directory; ///< relative file names are resolved against it, at once; empty: the current one
    /// Refuse names of files, which a kubeconfig from somebody else could have read and sent to a server of its own.
    bool inline_only = false;

    kubeconfig_options& with_context(std::string name) { return context = std::move(name), *this; }
    kubeconfig_options& with_inline_only(bool on = true) { return inline_only = on, *this; }
    kubeconfig_options& with_directory(std::string p) { return directory = std::move(p), *this; }
};

/** Reads one kubeconfig text. Certificate and key files that it names are read, here and now; the environment is not, and no plugin runs.
    Files are regular ones of at most 1 MiB, kubeconfigs of 16 MiB.
    @par Errors `errc::syntax` and the other decoding errors; `errc::invalid_argument` for a missing context, cluster,
    user, server, file, names that occur twice, contradicting fields, control characters where none belong, and names of files with
    `inline_only`; `errc::not_supported`, naming the field, for providers other than `oidc`,
    versions of plugins and proxies that there is no code for. Messages hold no values of users. */
result<config> parse_kubeconfig(std::string_view text, kubeconfig_options const& options = {});

/// The same from a file. An empty `options.directory` means the file's own.
result<config> load_kubeconfig(std::string const& file, kubeconfig_options options = {});

/** The same from several files, as KUBECONFIG lists them. Of entries of one name, and of current contexts, the first counts, whole; relative
    paths are those of the file that holds them. Files that do not exist are passed over, but not all of them.
    @par Errors As parse_kubeconfig(); all files that cannot be read are told at once. */
result<config> load_kubeconfigs(std::vector<std::string> const& files, kubeconfig_options options = {});

/** The configuration of a pod: `token`, `ca.crt` and `namespace` in `directory` (usually
    `/var/run/secrets/kubernetes.io/serviceaccount`), the server at `host` and `port` (usually the values of
    KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which the caller reads).
    @par Errors `errc::invalid_argument`, naming the file or argument. */
result<config> in_cluster_config(std::string const& directory, std::string_view host, std::string_view port);

/// A kubeconfig text with one cluster, user and context named `name`, which parse_kubeconfig() reads back.
std::string to_kubeconfig(config const& c, std::string_view name);

} // namespace kftrain::kube

#endif
