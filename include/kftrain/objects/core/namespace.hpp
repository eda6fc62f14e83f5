#ifndef KFTRAIN_OBJECTS_CORE_NAMESPACE_HPP
#define KFTRAIN_OBJECTS_CORE_NAMESPACE_HPP

/** @file
    Namespaces and their quotas.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// The settings of a namespace.
struct namespace_spec {
    namespace_spec() = default;

    std::vector<std::string> finalizers; ///< finalizers that block the deletion; usually `kubernetes`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(namespace_spec, (finalizers))

/// One condition of a namespace, about its deletion.
struct namespace_condition {
    namespace_condition() = default;

    std::string type; ///< e.g. NamespaceContentRemaining, NamespaceFinalizersRemaining, NamespaceDeletionContentFailure
    std::string status;                             ///< True, False or Unknown
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;                             ///< reason for the last transition, in CamelCase
    std::string message;                            ///< details as text, e.g. the kinds of the remaining objects
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(namespace_condition, "type", "status")
KFTRAIN_DESCRIBE(namespace_condition, (type, status, last_transition_time, reason, message))

/// The observed state of a namespace.
struct namespace_status {
    namespace_status() = default;

    std::string phase;                           ///< Active or Terminating
    std::vector<namespace_condition> conditions; ///< present during the deletion; at most one of each type
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(namespace_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(namespace_status, (phase, conditions))

/// A scope for names, quotas and permissions.
struct namespace_ {
    namespace_() = default;

    static constexpr resource_info resource{"", "v1", "Namespace", "namespaces", resource_scope::cluster};

    object_meta metadata;    ///< name, labels, annotations
    namespace_spec spec;     ///< settings of the deletion
    namespace_status status; ///< phase and, during the deletion, its problems
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(namespace_, (metadata, spec, status))

/// Selects the pods that count.
struct scoped_resource_selector_requirement {
    scoped_resource_selector_requirement() = default;

    std::string scope_name;          ///< as in the scopes of a quota
    std::string operator_;           ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values; ///< e.g. names of priority classes; empty for Exists and DoesNotExist
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(scoped_resource_selector_requirement, "scope_name", "operator_")
KFTRAIN_DESCRIBE(scoped_resource_selector_requirement, (scope_name, operator_, values))

/// A selector of pods by quota scopes.
struct scope_selector {
    scope_selector() = default;

    std::vector<scoped_resource_selector_requirement> match_expressions; ///< all must hold
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scope_selector, (match_expressions))

/// The limits of a quota and the objects that it counts.
struct resource_quota_spec {
    resource_quota_spec() = default;

    resource_list hard; ///< by name, e.g. `requests.cpu`, `pods`, `count/jobs.batch`
    /// Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity; only pods that
    /// match all scopes are counted; empty: all objects.
    std::vector<std::string> scopes;
    boxed<kftrain::core::scope_selector> scope_selector; ///< as `scopes`, with operators and values; both must match
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_quota_spec, (hard, scopes, scope_selector))

/// The limits and the use of a quota, as the quota controller last counted them.
struct resource_quota_status {
    resource_quota_status() = default;

    resource_list hard; ///< enforced limits, by the names in `spec.hard`
    resource_list used; ///< current total in the namespace, by the same names
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_quota_status, (hard, used))

/// Limits of the total resources and object counts in a namespace.
struct resource_quota {
    resource_quota() = default;

    static constexpr resource_info resource{"", "v1", "ResourceQuota", "resourcequotas"};

    object_meta metadata;         ///< name, labels, annotations
    resource_quota_spec spec;     ///< limits and scopes
    resource_quota_status status; ///< limits in force and their use
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(resource_quota, (metadata, spec, status))

} // namespace kftrain::core

#endif
