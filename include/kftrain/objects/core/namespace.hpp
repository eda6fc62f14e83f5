#ifndef KFTRAIN_OBJECTS_CORE_NAMESPACE_HPP
#define KFTRAIN_OBJECTS_CORE_NAMESPACE_HPP

/** @file
    Namespaces and their quotas.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

struct namespace_spec {
    namespace_spec() = default;

    std::vector<std::string> finalizers; ///< finalizers that block the deletion
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(namespace_spec, (finalizers))

struct namespace_condition {
    namespace_condition() = default;

    std::string type;
    std::string status;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(namespace_condition, "type", "status")
KFTRAIN_DESCRIBE(namespace_condition, (type, status, last_transition_time, reason, message))

struct namespace_status {
    namespace_status() = default;

    std::string phase; ///< Active or Terminating
    std::vector<namespace_condition> conditions;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(namespace_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(namespace_status, (phase, conditions))

struct namespace_ {
    namespace_() = default;

    static constexpr resource_info resource{"", "v1", "Namespace", "namespaces", resource_scope::cluster};

    object_meta metadata;
    namespace_spec spec;
    namespace_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(namespace_, (metadata, spec, status))

/// Selects the pods that count.
struct scoped_resource_selector_requirement {
    scoped_resource_selector_requirement() = default;

    std::string scope_name; ///< as in the scopes of a quota
    std::string operator_;  ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(scoped_resource_selector_requirement, "scope_name", "operator_")
KFTRAIN_DESCRIBE(scoped_resource_selector_requirement, (scope_name, operator_, values))

struct scope_selector {
    scope_selector() = default;

    std::vector<scoped_resource_selector_requirement> match_expressions;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scope_selector, (match_expressions))

struct resource_quota_spec {
    resource_quota_spec() = default;

    resource_list hard; ///< by name, e.g. `requests.cpu`, `pods`, `count/jobs.batch`
    /// E.g. Terminating, BestEffort, PriorityClass; only objects that match all scopes are counted.
    std::vector<std::string> scopes;
    boxed<kftrain::core::scope_selector> scope_selector;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_quota_spec, (hard, scopes, scope_selector))

struct resource_quota_status {
    resource_quota_status() = default;

    resource_list hard;
    resource_list used;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_quota_status, (hard, used))

struct resource_quota {
    resource_quota() = default;

    static constexpr resource_info resource{"", "v1", "ResourceQuota", "resourcequotas"};

    object_meta metadata;
    resource_quota_spec spec;
    resource_quota_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(resource_quota, (metadata, spec, status))

} // namespace kftrain::core

#endif
