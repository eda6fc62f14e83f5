#ifndef KFTRAIN_SRC_KUBE_KUBECONFIG_HPP
#define KFTRAIN_SRC_KUBE_KUBECONFIG_HPP

/** @file
    The kubeconfig file as structs.
    @par Upstream client-go `tools/clientcmd/api/v1/types.go` */

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <array>
#include <string>
#include <vector>

namespace kftrain::kube::detail {

struct kubeconfig_cluster {
    kubeconfig_cluster() = default;

    std::string server;
    std::string tls_server_name;
    bool insecure_skip_tls_verify = false;
    std::string certificate_authority;
    std::string certificate_authority_data;
    std::string proxy_url;
};
BOOST_DESCRIBE_STRUCT(kubeconfig_cluster, (),
                      (server, tls_server_name, insecure_skip_tls_verify, certificate_authority,
                       certificate_authority_data, proxy_url))

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
    raw_json as_uid;
    raw_json as_groups;
    raw_json as_user_extra;
    raw_json exec;
    raw_json auth_provider;
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
                    {"certificate_authority_data", "certificate-authority-data"}, {"proxy_url", "proxy-url"})

KFTRAIN_FIELD_RULES(kubeconfig_user, {"client_certificate", "client-certificate"},
                    {"client_certificate_data", "client-certificate-data"}, {"client_key", "client-key"},
                    {"client_key_data", "client-key-data"}, {"as_uid", "as-uid"}, {"as_groups", "as-groups"},
                    {"as_user_extra", "as-user-extra"}, {"auth_provider", "auth-provider"})

KFTRAIN_FIELD_RULES(kubeconfig, {"current_context", "current-context"})

} // namespace kftrain::kube::detail

#endif
