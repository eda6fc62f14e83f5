#ifndef KFTRAIN_OBJECTS_TRAINER_TRAINING_RUNTIME_HPP
#define KFTRAIN_OBJECTS_TRAINER_TRAINING_RUNTIME_HPP

/** @file The runtimes to which TrainJobs refer, `trainer.kubeflow.org/v1alpha1`: a template of a JobSet and the
    settings of a framework.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/apis/trainer/v1alpha1/trainingruntime_types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/jobset/job_set.hpp>

namespace kftrain::trainer {

/// Containers of one Job that receive the variables of torchrun in addition to the container `node`.
struct env_injection_target {
    env_injection_target() = default;

    std::string job_name;                     ///< name of an entry of the template's `replicatedJobs`
    std::vector<std::string> container_names; ///< its containers or init containers; not `node`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(env_injection_target, "job_name")
KFTRAIN_FIELD_RULES(env_injection_target, {.member = "container_names", .list_keys = "*"})
KFTRAIN_DESCRIBE(env_injection_target, (job_name, container_names))

/// Further containers with the variables of torchrun.
struct env_injection {
    env_injection() = default;

    std::vector<env_injection_target> targets; ///< at most 16, one for each Job
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(env_injection, {.member = "targets", .merge_key = "jobName"})
KFTRAIN_DESCRIBE(env_injection, (targets))

/// Processes that `torchrun` starts.
struct torch_policy {
    torch_policy() = default;

    boxed<kftrain::trainer::env_injection> env_injection; ///< absent: only the container `node` has the variables
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(torch_policy, (env_injection))

/// Processes that `mpirun` starts over ssh.
struct mpi_policy {
    mpi_policy() = default;

    std::optional<std::int32_t> num_proc_per_node;  ///< slots of a host; absent means 1
    std::optional<std::string> mpi_implementation;  ///< OpenMPI, also if absent; no other can be rendered
    std::optional<std::string> ssh_auth_mount_path; ///< directory of the ssh keys; absent means `/root/.ssh`
    /// Whether the launcher is a host, too; absent means false.
    std::optional<bool> run_launcher_as_node;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_policy, (num_proc_per_node, mpi_implementation, ssh_auth_mount_path, run_launcher_as_node))

/// One JAX process in each pod.
struct jax_policy {
    jax_policy() = default;

    unknown_fields unknown; ///< the policy has no fields
};
KFTRAIN_DESCRIBE(jax_policy, ())

/// Workers of XGBoost that find each other by a tracker.
struct xgboost_policy {
    xgboost_policy() = default;

    unknown_fields unknown; ///< the policy has no fields
};
KFTRAIN_DESCRIBE(xgboost_policy, ())

/// Processes that the brokers of Flux start.
struct flux_policy {
    flux_policy() = default;

    std::optional<std::int32_t> num_proc_per_node; ///< processes on a host, at least 1; absent means 1
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(flux_policy, (num_proc_per_node))

/// The settings of a framework. At most one of the frameworks is set; without one nothing is injected.
struct ml_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(ml_policy);

    /// Pods of the Job that trains, unless the TrainJob has a number; absent means 1.
    std::optional<std::int32_t> num_nodes;
    boxed<torch_policy> torch;     ///< PyTorch
    boxed<mpi_policy> mpi;         ///< MPI
    boxed<flux_policy> flux;       ///< Flux
    boxed<jax_policy> jax;         ///< JAX
    boxed<xgboost_policy> xgboost; ///< XGBoost
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(ml_policy, (num_nodes, torch, mpi, flux, jax, xgboost))

/// A gang of scheduler-plugins.
struct coscheduling_policy {
    coscheduling_policy() = default;

    std::optional<std::int32_t> schedule_timeout_seconds; ///< how long placed pods wait for others; absent means 60
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(coscheduling_policy, (schedule_timeout_seconds))

/// How near to each other the nodes of a gang must be.
struct network_topology {
    network_topology() = default;

    std::string mode;                                 ///< hard (also if empty) or soft
    std::optional<std::int64_t> highest_tier_allowed; ///< highest tier that the gang may span; absent means 1
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_topology, (mode, highest_tier_allowed))

/// A gang of Volcano.
struct volcano_policy {
    volcano_policy() = default;

    boxed<kftrain::trainer::network_topology> network_topology; ///< absent: any nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_policy, (network_topology))

/// The scheduler for which a PodGroup is created. The templates of the pods must name it themselves.
struct pod_group_policy {
    pod_group_policy() = default;

    boxed<coscheduling_policy> coscheduling; ///< scheduler-plugins
    boxed<volcano_policy> volcano;           ///< Volcano
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_group_policy, (coscheduling, volcano))

/// The template of the JobSet of a TrainJob.
struct job_set_template_spec {
    job_set_template_spec() = default;

    object_meta metadata;      ///< labels and annotations of the JobSet
    jobset::job_set_spec spec; ///< desired state of the JobSet
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_set_template_spec, (metadata, spec))

/// How TrainJobs that refer to the runtime run.
struct training_runtime_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(training_runtime_spec);

    boxed<kftrain::trainer::ml_policy> ml_policy;               ///< absent: nothing is injected
    boxed<kftrain::trainer::pod_group_policy> pod_group_policy; ///< absent: no gang
    job_set_template_spec template_;                            ///< the JobSet
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(training_runtime_spec, (ml_policy, pod_group_policy, template_))

/// A runtime for TrainJobs of its namespace.
struct training_runtime {
    training_runtime() = default;

    static constexpr resource_info resource{"trainer.kubeflow.org", "v1alpha1", "TrainingRuntime", "trainingruntimes"};

    object_meta metadata;       ///< TrainJobs refer to the name
    training_runtime_spec spec; ///< the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(training_runtime, (metadata, spec))

/// A runtime for TrainJobs of all namespaces.
struct cluster_training_runtime {
    cluster_training_runtime() = default;

    static constexpr resource_info resource{"trainer.kubeflow.org", "v1alpha1", "ClusterTrainingRuntime",
                                            "clustertrainingruntimes", resource_scope::cluster};

    object_meta metadata;       ///< TrainJobs refer to the name; it has no namespace
    training_runtime_spec spec; ///< the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(cluster_training_runtime, (metadata, spec))

} // namespace kftrain::trainer

#endif
