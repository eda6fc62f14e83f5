#ifndef KFTRAIN_KINDS_JAX_JOB_HPP
#define KFTRAIN_KINDS_JAX_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// The specification of a JAXJob.
struct jax_job_spec {
    jax_job_spec() = default;

    kubeflow_v1::run_policy run_policy; ///< limits, clean-up, suspension and gang scheduling
    replica_spec_map jax_replica_specs; ///< Worker
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(jax_job_spec, (run_policy, jax_replica_specs))

/** A JAX training job: workers, the first of which is the coordinator.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/jax_types.go` */
struct jax_job {
    jax_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "JAXJob", "jaxjobs"};

    object_meta metadata; ///< the name prefixes the names of the pods: `<name>-worker-<index>`
    jax_job_spec spec;    ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(jax_job, (metadata, spec, status))

/** Returns the rules of JAXJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/jax/`, `pkg/webhooks/jax/`,
    `pkg/apis/kubeflow.org/v1/jax_defaults.go` */
rules::job_rules const& kftrain_job_rules(type_tag<jax_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::jax_job;

} // namespace kftrain

#endif
