#ifndef KFTRAIN_SRC_CONVERT_OLD_TF_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_TF_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>

namespace kftrain::convert {

/// What tf-operator had in the spec and today's operator has in the run policy.
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

/// What tells the form of `kubeflow.org/v1`.
struct tf_job_fields {
    tf_job_fields() = default;

    std::string api_version;
    std::string kind;
    tf_policy_fields spec;
};
KFTRAIN_DESCRIBE(tf_job_fields, (api_version, kind, spec))

/// The spec of tf-operator. `runPolicy`, which only today's form has, is here, too, to find jobs that mix the forms.
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
struct old_tf_job {
    old_tf_job() = default;

    std::string api_version;
    std::string kind;
    object_meta metadata;
    old_tf_spec spec;
    raw_json status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_tf_job, (api_version, kind, metadata, spec, status))

} // namespace kftrain::convert

#endif
