#ifndef KFTRAIN_KINDS_PADDLE_JOB_HPP
#define KFTRAIN_KINDS_PADDLE_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>
#include <kftrain/objects/autoscaling/metric.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// Bounds and metrics that the operator stores but never uses: they do not reach the pods, and nothing is scaled.
struct paddle_elastic_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(paddle_elastic_policy);

    std::optional<std::int32_t> min_replicas;      ///< workers; absent: `maxReplicas`, else the number of workers
    std::optional<std::int32_t> max_replicas;      ///< workers; absent: `minReplicas`, else the number of workers
    std::optional<std::int32_t> max_restarts;      ///< how often members may be restarted
    std::vector<autoscaling::metric_spec> metrics; ///< metrics for scaling the workers
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(paddle_elastic_policy, (min_replicas, max_replicas, max_restarts, metrics))

/// The specification of a PaddleJob.
struct paddle_job_spec {
    paddle_job_spec() = default;

    kubeflow_v1::run_policy run_policy;          ///< limits, clean-up, suspension and gang scheduling
    boxed<paddle_elastic_policy> elastic_policy; ///< stored, but without effect
    replica_spec_map paddle_replica_specs;       ///< Master and Worker
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(paddle_job_spec, (run_policy, elastic_policy, paddle_replica_specs))

/** A PaddlePaddle training job: either workers only, for collective training, or workers with masters, which serve
    parameters.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/paddlepaddle_types.go` */
struct paddle_job {
    paddle_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "PaddleJob", "paddlejobs"};

    object_meta metadata; ///< the name prefixes the names of the pods, e.g. `<name>-worker-<index>`
    paddle_job_spec spec; ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(paddle_job, (metadata, spec, status))

/** Returns the rules of PaddleJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/`, `pkg/webhooks/paddlepaddle/`,
    `pkg/apis/kubeflow.org/v1/paddlepaddle_defautls.go` */
rules::job_rules const& kftrain_job_rules(type_tag<paddle_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::paddle_job;

} // namespace kftrain

#endif
