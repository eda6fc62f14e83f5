#ifndef KFTRAIN_KINDS_MX_JOB_HPP
#define KFTRAIN_KINDS_MX_JOB_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// The specification of an MXJob.
struct mx_job_spec {
    mx_job_spec() = default;

    kubeflow_v1::run_policy run_policy; ///< limits, clean-up, suspension and gang scheduling
    std::string job_mode;               ///< MXTrain or MXTune; informational, the operator ignores it
    /// Scheduler, Server and Worker; for tuning: TunerTracker, TunerServer and Tuner
    replica_spec_map mx_replica_specs;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(mx_job_spec, "job_mode")
KFTRAIN_DESCRIBE(mx_job_spec, (run_policy, job_mode, mx_replica_specs))

/** A job of MXNet, BytePS or the tuner of TVM: a scheduler, servers that keep the parameters, and workers that
    train.
    @par Upstream training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_types.go`; v1.9.0 no longer has MXJobs */
struct mx_job {
    mx_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "MXJob", "mxjobs"};

    object_meta metadata; ///< the name prefixes the names of the pods, e.g. `<name>-server-<index>`
    mx_job_spec spec;     ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(mx_job, (metadata, spec, status))

/** Returns the rules of MXJobs. There is no webhook: the controller validates, and jobs that it rejects are stored
    but never run.
    @par Upstream training-operator v1.7.0 `pkg/controller.v1/mxnet/`,
    `pkg/apis/kubeflow.org/v1/mxnet_{defaults,validation}.go` */
rules::job_rules const& kftrain_job_rules(type_tag<mx_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::mx_job;

} // namespace kftrain

#endif
