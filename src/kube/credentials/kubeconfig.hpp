#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_KUBECONFIG_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_KUBECONFIG_HPP

/** @file
    The kubeconfig file as structs.
    @par Upstream client-go `tools/clientcmd/api/v1/types.go` */

#include "kube/http/config_text.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

struct kubeconfig_extension {
    kubeconfig_extension() = default;

    std::string name;
    raw_json extension;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_extension, (), (name, extension))

struct kubeconfig_cluster {
    kubeconfig_cluster() = default;

    std::string server;
    std::string tls_server_name;
    bool insecure_skip_tls_verify = false;
    std::string certificate_authority;
    std::string certificate_authority_data;
    std::string proxy_url;
    bool disable_compression = false;
    std::vector<kubeconfig_extension> extensions;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_cluster, (),
                      (server, tls_server_name, insecure_skip_tls_verify, certificate_authority,
                       certificate_authority_data, proxy_url, disable_compression, extensions))

struct kubeconfig_variable {
    kubeconfig_variable() = default;

    std::string name;
    std::string value;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_variable, (), (name, value))

struct kubeconfig_exec {
    kubeconfig_exec() = default;

    std::string api_version;
    std::string command;
    std::vector<std::string> args;
    std::vector<kubeconfig_variable> env;
    std::string install_hint;
    bool provide_cluster_info = false;
    std::string interactive_mode;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_exec, (),
                      (api_version, command, args, env, install_hint, provide_cluster_info, interactive_mode))

struct kubeconfig_provider {
    kubeconfig_provider() = default;

    std::string name;
    std::map<std::string, std::string, std::less<>> config;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_provider, (), (name, config))

struct kubeconfig_user {
    kubeconfig_user() = default;

    std::string client_certificate;
    std::string client_certificate_data;
    std::string client_key;
    std::string client_key_data;
    std::string token;
    std::string token_file;
    std::string username;
    std::string password;
    std::string as;
    std::string as_uid;
    std::vector<std::string> as_groups;
    std::map<std::string, std::vector<std::string>, std::less<>> as_user_extra;
    std::optional<kubeconfig_exec> exec;
    std::optional<kubeconfig_provider> auth_provider;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_user, (),
                      (client_certificate, client_certificate_data, client_key, client_key_data, token, token_file,
                       username, password, as, as_uid, as_groups, as_user_extra, exec, auth_provider))

struct kubeconfig_context {
    kubeconfig_context() = default;

    std::string cluster;
    std::string user;
    std::string namespace_;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_context, (), (cluster, user, namespace_))

struct named_cluster {
    named_cluster() = default;

    std::string name;
    kubeconfig_cluster cluster;
};
BOOST_DESCRIBE_STRUCT(named_cluster, (), (name, cluster))

struct named_user {
    named_user() = default;

    std::string name;
    kubeconfig_user user;
};
BOOST_DESCRIBE_STRUCT(named_user, (), (name, user))

struct named_context {
    named_context() = default;

    std::string name;
    kubeconfig_context context;
};
BOOST_DESCRIBE_STRUCT(named_context, (), (name, context))

struct kubeconfig {
    kubeconfig() = default;

    std::string api_version;
    std::string kind;
    std::vector<named_cluster> clusters;
    std::vector<named_user> users;
    std::vector<named_context> contexts;
    std::string current_context;
};
BOOST_DESCRIBE_STRUCT(kubeconfig, (), (api_version, kind, clusters, users, contexts, current_context))

KFTRAIN_FIELD_RULES(kubeconfig_cluster, {"tls_server_name", "tls-server-name"},
                    {"insecure_skip_tls_verify", "insecure-skip-tls-verify"},
                    {"certificate_authority", "certificate-authority"},
                    {"certificate_authority_data", "certificate-authority-data"}, {"proxy_url", "proxy-url"},
                    {"disable_compression", "disable-compression"})

KFTRAIN_FIELD_RULES(kubeconfig_user, {"client_certificate", "client-certificate"},
                    {"client_certificate_data", "client-certificate-data"}, {"client_key", "client-key"},
                    {"client_key_data", "client-key-data"}, {"as_uid", "as-uid"}, {"as_groups", "as-groups"},
                    {"as_user_extra", "as-user-extra"}, {"auth_provider", "auth-provider"})

KFTRAIN_FIELD_RULES(kubeconfig, {"current_context", "current-context"})

/// The fault of a text with secrets; the message does not contain its values.
failure without_values(failure f);

/// A text as it stands; an empty one is an empty file. Names that occur twice are refused.
result<kubeconfig> read_kubeconfig(std::string_view text);
/// Makes the relative file names of all entries those of `directory`, as it is now: a process may change its own later.
void resolve_files(kubeconfig& file, std::filesystem::path const& directory);
/// If both have an entry with the same name, that of `into` stays.
void merge(kubeconfig& into, kubeconfig later);
/// The existing files, merged.
result<kubeconfig> read_kubeconfigs(std::vector<std::string> const& files, std::string const& directory);
/// Whether it contains nothing that leads to a server.
bool is_blank(kubeconfig const& file);

/// Which context to take, and whether it may name files of this machine.
struct selection {
    selection() = default;
    explicit selection(std::string name, bool refuse_files = false)
        : context(std::move(name)), inline_only(refuse_files) {}

    std::string context; ///< empty: the current one
    bool inline_only = false;
};
/// The fault that a kubeconfig cannot be read.
failure unread(std::string const& file, failure const& why);
/// Adds the names of the files to the message of a fault in them.
failure naming(std::vector<std::string> const& files, failure fault);
/// Reads one context of a kubeconfig. The message of a failure names `files`, from which the kubeconfig was read.
result<config> select_context(kubeconfig const& file, selection const& wanted,
                              std::vector<std::string> const& files = {});
/// Errors: `errc::invalid_argument`, naming the field, for entries that name a file.
result<void> refuse_files(kubeconfig_cluster const& cluster, std::string const& path);
result<void> refuse_files(kubeconfig_user const& user, std::string const& path);
/// Errors: `errc::invalid_argument` for what the system would not take as it stands: it reads texts up to a NUL.
result<void> check_plugin(exec_plugin const& plugin, std::string const& path);
/// The part of it that is about the user.
result<void> take_user(named_user const& entry, config& c);
/// The contents of what is given as base64, else in a file; the former wins.
result<std::string> pem_of(std::string const& path, std::string const& field, std::string const& data,
                           std::string const& file);

} // namespace kftrain::kube::detail

#endif
