#ifndef KFTRAIN_KINDS_XGBOOST_JOB_HPP
#define KFTRAIN_KINDS_XGBOOST_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// The specification of an XGBoostJob.
struct xgboost_job_spec {
    xgboost_job_spec() = default;

    kubeflow_v1::run_policy run_policy; ///< limits, clean-up, suspension and gang scheduling
    replica_spec_map xgb_replica_specs; ///< Master and Worker
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(xgboost_job_spec, (run_policy, xgb_replica_specs))

/** A training job of XGBoost or LightGBM: one master, the rendezvous of the workers, and any number of workers.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/xgboost_types.go` */
struct xgboost_job {
    xgboost_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "XGBoostJob", "xgboostjobs"};

    object_meta metadata;  ///< the name prefixes the names of the pods, e.g. `<name>-worker-<index>`
    xgboost_job_spec spec; ///< desired state
    job_status status;     ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(xgboost_job, (metadata, spec, status))

/** Returns the rules of XGBoostJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/xgboost/`, `pkg/webhooks/xgboost/`,
    `pkg/apis/kubeflow.org/v1/xgboost_defaults.go` */
rules::job_rules const& kftrain_job_rules(type_tag<xgboost_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::xgboost_job;

} // namespace kftrain

#endif
