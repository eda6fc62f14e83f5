#ifndef KFTRAIN_SRC_CONVERT_OLD_MPI_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_MPI_JOB_HPP

#include "convert/old_job.hpp"

namespace kftrain::convert {

/// The spec of an MPIJob of `kubeflow.org/v1alpha2`. @par Upstream mpi-operator `pkg/apis/kubeflow/v1alpha2/types.go`
struct old_mpi_spec {
    old_mpi_spec() = default;

    std::optional<std::int32_t> slots_per_worker;
    std::optional<std::int32_t> backoff_limit; ///< used if the run policy has none, as the next
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::string> clean_pod_policy;
    kubeflow_v1::replica_spec_map mpi_replica_specs;
    std::string main_container;
    kubeflow_v1::run_policy run_policy;
    std::optional<std::string> mpi_distribution; ///< open_mpi, intel_mpi or mpich
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_mpi_spec, (slots_per_worker, backoff_limit, active_deadline_seconds, clean_pod_policy,
                                mpi_replica_specs, main_container, run_policy, mpi_distribution))

using old_mpi_job = old_job<old_mpi_spec>;
KFTRAIN_DECLARE_TABLE(old_mpi_job, old_mpi_job)

/** The spec of an MPIJob of `kubeflow.org/v1alpha1`: one template for the launcher and the workers.
    @par Upstream mpi-operator v0.2.3 `pkg/apis/kubeflow/v1alpha1/types.go` */
struct first_mpi_spec {
    first_mpi_spec() = default;

    std::optional<std::int32_t> gpus; ///< of all workers together; the older name of processing_units
    std::optional<std::int32_t> gpus_per_node;
    std::optional<std::int32_t> processing_units;
    std::optional<std::int32_t> processing_units_per_node;
    std::string processing_resource_type; ///< `cpu`; everything else means `nvidia.com/gpu`
    std::optional<std::int32_t> slots_per_worker;
    bool launcher_on_master = false;
    std::optional<std::int32_t> backoff_limit; ///< absent means 6
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> replicas; ///< number of workers, if the template has their limits
    core::pod_template_spec template_;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(first_mpi_spec,
                 (gpus, gpus_per_node, processing_units, processing_units_per_node, processing_resource_type,
                  slots_per_worker, launcher_on_master, backoff_limit, active_deadline_seconds, replicas, template_))

using first_mpi_job = old_job<first_mpi_spec>;
KFTRAIN_DECLARE_TABLE(first_mpi_job, first_mpi_job)

/** The spec of an XGBoostJob of xgboost-operator, which has the run policy in itself.
    @par Upstream xgboost-operator `pkg/apis/xgboostjob/{v1alpha1,v1}/xgboostjob_types.go` */
struct old_xgboost_spec {
    old_xgboost_spec() = default;

    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    kubeflow_v1::replica_spec_map xgb_replica_specs;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_xgboost_spec, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds,
                                    backoff_limit, scheduling_policy, xgb_replica_specs))

using old_xgboost_job = old_job<old_xgboost_spec>;
KFTRAIN_DECLARE_TABLE(old_xgboost_job, old_xgboost_job)

} // namespace kftrain::convert

#endif
