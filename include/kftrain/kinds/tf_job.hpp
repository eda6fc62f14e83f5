#ifndef KFTRAIN_KINDS_TF_JOB_HPP
#define KFTRAIN_KINDS_TF_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// The specification of a TFJob.
struct tf_job_spec {
    tf_job_spec() = default;

    kubeflow_v1::run_policy run_policy; ///< limits, clean-up, suspension and gang scheduling
    /// For a job without Chief and Master. Empty: it succeeds with worker 0; `AllWorkers`: with the last worker.
    std::optional<std::string> success_policy;
    replica_spec_map tf_replica_specs;  ///< Chief or Master, Evaluator, PS and Worker
    bool enable_dynamic_worker = false; ///< workers receive only their own address and those of the parameter servers
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(tf_job_spec, (run_policy, success_policy, tf_replica_specs, enable_dynamic_worker))

/** A TensorFlow training job: tasks of several types. `TF_CONFIG` passes the addresses of the other tasks to each
    task.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/tensorflow_types.go` */
struct tf_job {
    tf_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "TFJob", "tfjobs"};

    object_meta metadata; ///< the name prefixes the names of the pods, e.g. `<name>-worker-<index>`
    tf_job_spec spec;     ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(tf_job, (metadata, spec, status))

/** Options of an operator of TFJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go` */
struct tf_operator_options {
    tf_operator_options() = default;

    /// Appended to `.svc` in the addresses of `TF_CONFIG`, e.g. `cluster.local`. Upstream reads it from its environment
    /// variable `CUSTOM_CLUSTER_DOMAIN`. Empty: addresses end in `.svc`.
    std::string cluster_domain;
};

/** Returns the rules of TFJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/tensorflow/`, `pkg/webhooks/tensorflow/`,
    `pkg/apis/kubeflow.org/v1/tensorflow_defaults.go` */
rules::job_rules const& kftrain_job_rules(type_tag<tf_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::tf_job;
using kubeflow_v1::tf_operator_options;

} // namespace kftrain

#endif
