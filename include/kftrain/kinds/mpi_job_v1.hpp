#ifndef KFTRAIN_KINDS_MPI_JOB_V1_HPP
#define KFTRAIN_KINDS_MPI_JOB_V1_HPP

/** @file MPIJobs of `kubeflow.org/v1`: a launcher that starts its processes in the workers by `kubectl exec`.
    MPIJobs of `kubeflow.org/v2beta1`, in `kinds/mpi_job_v2beta1.hpp`, are another kind of the same name. */

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// The specification of an MPIJob.
struct mpi_job_spec {
    mpi_job_spec() = default;

    std::optional<std::int32_t> slots_per_worker; ///< processes on each host; absent means 1
    std::optional<std::string> clean_pod_policy;  ///< All, Running or None; used if the run policy has none
    replica_spec_map mpi_replica_specs;           ///< Launcher and Worker
    std::string main_container;         ///< the container of the workers in which processes start; empty: the first
    kubeflow_v1::run_policy run_policy; ///< limits, clean-up, suspension and gang scheduling
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_job_spec, (slots_per_worker, clean_pod_policy, mpi_replica_specs, main_container, run_policy))

/** An MPI job: one launcher and any number of workers, all of them pods.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_types.go` */
struct mpi_job {
    mpi_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "MPIJob", "mpijobs"};

    object_meta metadata; ///< the name prefixes the names of the pods: `<name>-launcher`, `<name>-worker-<index>`
    mpi_job_spec spec;    ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(mpi_job, (metadata, spec, status))

/** Options of an operator of MPIJobs.
    @par Upstream training-operator v1.9.0 `pkg/config/config.go` */
struct mpi_operator_options {
    mpi_operator_options() = default;

    /// Image of the container that copies kubectl into the launcher and waits for the workers.
    std::string kubectl_delivery_image = "kubeflow/kubectl-delivery:latest";
};

/** Returns the rules of MPIJobs of this version. There is no webhook: servers store invalid jobs, and the operator
    reports the first fault.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/`,
    `pkg/apis/kubeflow.org/v1/mpi_{defaults,validation}.go` */
rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept;

} // namespace kftrain::kubeflow_v1

#endif
