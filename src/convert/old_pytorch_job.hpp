#ifndef KFTRAIN_SRC_CONVERT_OLD_PYTORCH_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_PYTORCH_JOB_HPP

#include "convert/old_job.hpp"

namespace kftrain::convert {

/// The spec in both old forms. It includes the fields of the current form to find jobs that mix the forms.
struct old_pytorch_spec {
    old_pytorch_spec() = default;

    std::optional<std::int64_t> active_deadline_seconds; ///< not of v1alpha2, as the next
    std::optional<std::int32_t> backoff_limit;
    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    kubeflow_v1::replica_spec_map pytorch_replica_specs;
    raw_json run_policy; ///< of today's form, as the next two
    raw_json elastic_policy;
    raw_json nproc_per_node;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_pytorch_spec,
                 (active_deadline_seconds, backoff_limit, clean_pod_policy, ttl_seconds_after_finished,
                  pytorch_replica_specs, run_policy, elastic_policy, nproc_per_node))

/// A job as pytorch-operator stored it.
using old_pytorch_job = old_job<old_pytorch_spec>;
KFTRAIN_DECLARE_TABLE(old_pytorch_job, old_pytorch_job)

/// Fields that identify the form of `kubeflow.org/v1`.
struct spec_fields {
    spec_fields() = default;

    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json clean_pod_policy;
    raw_json ttl_seconds_after_finished;
};
KFTRAIN_DESCRIBE(spec_fields, (active_deadline_seconds, backoff_limit, clean_pod_policy, ttl_seconds_after_finished))

using job_fields = job_form<spec_fields>;
KFTRAIN_DECLARE_TABLE(job_fields, job_fields)

} // namespace kftrain::convert

#endif
