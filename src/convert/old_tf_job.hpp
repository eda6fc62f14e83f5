#ifndef KFTRAIN_SRC_CONVERT_OLD_TF_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_TF_JOB_HPP

#include "convert/old_job.hpp"

namespace kftrain::convert {

/// Fields of tf-operator's spec that are in the run policy now.
struct tf_policy_fields {
    tf_policy_fields() = default;

    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json clean_pod_policy;
    raw_json scheduling_policy;
    raw_json ttl_seconds_after_finished;
};
KFTRAIN_DESCRIBE(tf_policy_fields, (active_deadline_seconds, backoff_limit, clean_pod_policy, scheduling_policy,
                                    ttl_seconds_after_finished))

/// Fields that identify the form of `kubeflow.org/v1`.
using tf_job_fields = job_form<tf_policy_fields>;
KFTRAIN_DECLARE_TABLE(tf_job_fields, tf_job_fields)

/// The spec of tf-operator. It includes `runPolicy` of the current form to find jobs that mix the forms.
struct old_tf_spec {
    old_tf_spec() = default;

    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;
    std::optional<std::string> clean_pod_policy;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy; ///< not of v1beta2, as the next two
    std::optional<std::string> success_policy;
    bool enable_dynamic_worker = false;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    kubeflow_v1::replica_spec_map tf_replica_specs;
    raw_json run_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_tf_spec,
                 (active_deadline_seconds, backoff_limit, clean_pod_policy, scheduling_policy, success_policy,
                  enable_dynamic_worker, ttl_seconds_after_finished, tf_replica_specs, run_policy))

/// A job as tf-operator stored it.
using old_tf_job = old_job<old_tf_spec>;
KFTRAIN_DECLARE_TABLE(old_tf_job, old_tf_job)

/// A set of pods of v1alpha1.
struct first_tf_set {
    first_tf_set() = default;

    std::optional<std::int32_t> replicas; ///< absent means 1
    core::pod_template_spec template_;
    std::optional<std::int32_t> tf_port; ///< absent means 2222
    std::string tf_replica_type;         ///< MASTER, which is meant if empty, PS or WORKER
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(first_tf_set, (replicas, template_, tf_port, tf_replica_type))

/// The spec of v1alpha1. @par Upstream tf-operator v0.3.0 `pkg/apis/tensorflow/v1alpha1/{types,defaults}.go`
struct first_tf_spec {
    first_tf_spec() = default;

    std::string runtime_id; ///< part of the names of pods
    std::vector<first_tf_set> replica_specs;
    std::string tf_image;                   ///< of early parameter servers without a template
    boxed<first_policy> termination_policy; ///< absent: MASTER 0
    std::string cleanup_pod_policy;         ///< empty means All
    std::string scheduler_name;             ///< of all pods; overrides the templates
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(first_tf_spec, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(first_tf_spec,
                 (runtime_id, replica_specs, tf_image, termination_policy, cleanup_pod_policy, scheduler_name))

/// A TFJob of `kubeflow.org/v1alpha1`.
using first_tf_job = old_job<first_tf_spec>;
KFTRAIN_DECLARE_TABLE(first_tf_job, first_tf_job)

} // namespace kftrain::convert

#endif
