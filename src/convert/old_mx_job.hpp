#ifndef KFTRAIN_SRC_CONVERT_OLD_MX_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_MX_JOB_HPP

#include "convert/old_job.hpp"

#include <kftrain/kinds/mx_job.hpp>

#include <map>

namespace kftrain::convert {

/// An entry of the replica map in all forms that have one.
struct old_mx_replicas {
    old_mx_replicas() = default;

    std::optional<std::int32_t> replicas;
    std::string label; ///< the key of a tuning server; not of v1
    core::pod_template_spec template_;
    std::string restart_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_mx_replicas, (replicas, label, template_, restart_policy))

/// The spec in these forms. It includes `runPolicy` of the current form to find jobs that mix the forms.
struct old_mx_spec {
    old_mx_spec() = default;

    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::string> success_policy;           ///< of v1beta1
    std::optional<std::int64_t> active_deadline_seconds; ///< of v1, as the next two
    std::optional<std::int32_t> backoff_limit;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::string job_mode;
    std::map<std::string, old_mx_replicas, std::less<>> mx_replica_specs;
    raw_json run_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_mx_spec, (clean_pod_policy, ttl_seconds_after_finished, success_policy, active_deadline_seconds,
                               backoff_limit, scheduling_policy, job_mode, mx_replica_specs, run_policy))

using old_mx_job = old_job<old_mx_spec>;
KFTRAIN_DECLARE_TABLE(old_mx_job, old_mx_job)

/// Fields that identify the form of `kubeflow.org/v1`.
struct mx_spec_fields {
    mx_spec_fields() = default;

    raw_json clean_pod_policy;
    raw_json ttl_seconds_after_finished;
    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json scheduling_policy;
};
KFTRAIN_DESCRIBE(mx_spec_fields, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds, backoff_limit,
                                  scheduling_policy))

using mx_job_fields = job_form<mx_spec_fields>;
KFTRAIN_DECLARE_TABLE(mx_job_fields, mx_job_fields)

/// A set of pods of v1alpha1.
struct first_mx_set {
    first_mx_set() = default;

    std::optional<std::int32_t> replicas; ///< absent means 1
    core::pod_template_spec template_;
    std::string mx_replica_type;              ///< SCHEDULER, SERVER or WORKER, which is meant if empty
    std::optional<std::int32_t> ps_root_port; ///< of the scheduler; absent means 9091
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(first_mx_set, {.member = "ps_root_port", .json_name = "PsRootPort"})
KFTRAIN_DESCRIBE(first_mx_set, (replicas, template_, mx_replica_type, ps_root_port))

struct first_mx_spec {
    first_mx_spec() = default;

    std::string runtime_id; ///< part of the names of pods
    std::vector<first_mx_set> replica_specs;
    std::string mx_image;                   ///< read by nobody
    boxed<first_policy> termination_policy; ///< absent: the first worker
    std::string cleanup_pod_policy;         ///< empty means All
    std::string scheduler_name;             ///< of all pods; overrides the templates
    std::string job_mode;                   ///< of examples, no field
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(first_mx_spec, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(first_mx_spec, (runtime_id, replica_specs, mx_image, termination_policy, cleanup_pod_policy,
                                 scheduler_name, job_mode))

/// An MXJob of `kubeflow.org/v1alpha1`.
using first_mx_job = old_job<first_mx_spec>;
KFTRAIN_DECLARE_TABLE(first_mx_job, first_mx_job)

/// read_old_mx_job() of this form.
result<converted<mx_job>> to_v1(first_mx_job const&);

} // namespace kftrain::convert

#endif
