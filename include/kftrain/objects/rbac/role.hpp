#ifndef KFTRAIN_OBJECTS_RBAC_ROLE_HPP
#define KFTRAIN_OBJECTS_RBAC_ROLE_HPP

/** @file RBAC roles, `rbac.authorization.k8s.io/v1`.
    @par Upstream k8s.io/api `rbac/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::rbac {

/// Permissions: all of the verbs on all of the resources.
struct policy_rule {
    policy_rule() = default;

    std::vector<std::string> verbs;             ///< e.g. `get`, `list`, `watch`, `create`; `*` for all
    std::vector<std::string> api_groups;        ///< empty text for the core group, `*` for all
    std::vector<std::string> resources;         ///< e.g. `pods/log`, `*` for all
    std::vector<std::string> resource_names;    ///< empty: all objects
    std::vector<std::string> non_resource_urls; ///< only in ClusterRoles
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(policy_rule, {.member = "non_resource_urls", .json_name = "nonResourceURLs"})
KFTRAIN_DESCRIBE(policy_rule, (verbs, api_groups, resources, resource_names, non_resource_urls))

/// Permissions in one namespace.
struct role {
    role() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "Role", "roles"};

    object_meta metadata;           ///< the permissions apply to objects of its namespace
    std::vector<policy_rule> rules; ///< permissions; a request is allowed if one of the rules allows it
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(role, (metadata, rules))

/// Selects the ClusterRoles whose rules a ClusterRole contains.
struct aggregation_rule {
    aggregation_rule() = default;

    std::vector<label_selector> cluster_role_selectors; ///< a role that matches one of them is included
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(aggregation_rule, (cluster_role_selectors))

/// Permissions in the whole cluster, or in each namespace that a RoleBinding names.
struct cluster_role {
    cluster_role() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles",
                                            resource_scope::cluster};

    object_meta metadata;           ///< its labels may select it for the aggregation of another role
    std::vector<policy_rule> rules; ///< permissions; with an aggregation rule those of the selected roles
    boxed<kftrain::rbac::aggregation_rule> aggregation_rule; ///< absent: the role has only its own rules
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(cluster_role, (metadata, rules, aggregation_rule))

/// A user, group or service account that receives the role.
struct subject {
    subject() = default;

    std::string kind;       ///< User, Group or ServiceAccount
    std::string api_group;  ///< empty for a ServiceAccount, `rbac.authorization.k8s.io` for User and Group
    std::string name;       ///< name of the user, group or service account
    std::string namespace_; ///< of a service account
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(subject, "kind", "name")
KFTRAIN_DESCRIBE(subject, (kind, api_group, name, namespace_))

/// The role of a binding; it cannot be changed.
struct role_ref {
    role_ref() = default;

    std::string api_group; ///< `rbac.authorization.k8s.io`
    std::string kind;      ///< Role or ClusterRole
    std::string name;      ///< name of the role; a Role must be of the namespace of the binding
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(role_ref, "api_group", "kind", "name")
KFTRAIN_DESCRIBE(role_ref, (api_group, kind, name))

/// Gives subjects the permissions of a role in one namespace.
struct role_binding {
    role_binding() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings"};

    object_meta metadata;             ///< the permissions apply to objects of its namespace
    std::vector<subject> subjects;    ///< receive the permissions; empty: nobody
    kftrain::rbac::role_ref role_ref; ///< a Role of the same namespace, or a ClusterRole
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(role_binding, "role_ref")
KFTRAIN_DESCRIBE_RESOURCE(role_binding, (metadata, subjects, role_ref))

/// Gives subjects the permissions of a ClusterRole in the whole cluster.
struct cluster_role_binding {
    cluster_role_binding() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding",
                                            "clusterrolebindings", resource_scope::cluster};

    object_meta metadata;             ///< name, labels, annotations
    std::vector<subject> subjects;    ///< receive the permissions; empty: nobody
    kftrain::rbac::role_ref role_ref; ///< a ClusterRole
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(cluster_role_binding, "role_ref")
KFTRAIN_DESCRIBE_RESOURCE(cluster_role_binding, (metadata, subjects, role_ref))

} // namespace kftrain::rbac

#endif
