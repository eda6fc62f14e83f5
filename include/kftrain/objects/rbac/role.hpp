#ifndef KFTRAIN_OBJECTS_RBAC_ROLE_HPP
#define KFTRAIN_OBJECTS_RBAC_ROLE_HPP

/** @file RBAC roles, `rbac.authorization.k8s.io/v1`.
    @par Upstream k8s.io/api `rbac/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>

namespace kftrain::rbac {

/// Permissions: all of the verbs on all of the resources.
struct policy_rule {
    policy_rule() = default;

    std::vector<std::string> verbs;
    std::vector<std::string> api_groups;        ///< empty text for the core group, `*` for all
    std::vector<std::string> resources;         ///< e.g. `pods/log`, `*` for all
    std::vector<std::string> resource_names;    ///< empty: all objects
    std::vector<std::string> non_resource_urls; ///< only in ClusterRoles
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(policy_rule, {.member = "non_resource_urls", .json_name = "nonResourceURLs"})
KFTRAIN_DESCRIBE(policy_rule, (verbs, api_groups, resources, resource_names, non_resource_urls))

struct role {
    role() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "Role", "roles"};

    object_meta metadata;
    std::vector<policy_rule> rules;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(role, (metadata, rules))

/// A user, group or service account that receives the role.
struct subject {
    subject() = default;

    std::string kind; ///< User, Group or ServiceAccount
    std::string api_group;
    std::string name;
    std::string namespace_; ///< of a service account
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(subject, "kind", "name")
KFTRAIN_DESCRIBE(subject, (kind, api_group, name, namespace_))

struct role_ref {
    role_ref() = default;

    std::string api_group;
    std::string kind; ///< Role or ClusterRole
    std::string name;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(role_ref, "api_group", "kind", "name")
KFTRAIN_DESCRIBE(role_ref, (api_group, kind, name))

struct role_binding {
    role_binding() = default;

    static constexpr resource_info resource{"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings"};

    object_meta metadata;
    std::vector<subject> subjects;
    kftrain::rbac::role_ref role_ref;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(role_binding, "role_ref")
KFTRAIN_DESCRIBE_RESOURCE(role_binding, (metadata, subjects, role_ref))

} // namespace kftrain::rbac

#endif
