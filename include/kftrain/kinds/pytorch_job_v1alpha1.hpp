#ifndef KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_HPP

/** @file PyTorchJobs of `kubeflow.org/v1alpha1`, the first form of that kind: a list of replica sets, and phases
    instead of conditions.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1alpha1 {

/// A set of pods with the same template.
struct pytorch_replica_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_replica_spec);

    std::optional<std::int32_t> replicas;     ///< absent means 1; the MASTER must have 1
    boxed<core::pod_template_spec> template_; ///< its metadata does not reach the pods; required
    std::optional<std::int32_t>
        master_port;          ///< port of the services of this set, and its MASTER_PORT; absent means 23456
    std::string replica_type; ///< MASTER or WORKER; empty means MASTER
    /// The same in the spelling of the first proposal; replica_type takes precedence.
    std::string pytorch_replica_type;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_replica_spec, (replicas, template_, master_port, replica_type, pytorch_replica_type))

/// The replica whose end is the end of the job.
struct pytorch_termination_master {
    pytorch_termination_master() = default;

    std::string replica_name;      ///< a replica type
    std::int32_t replica_rank = 0; ///< as in RANK, so that the first worker is 1
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pytorch_termination_master, "replica_name", "replica_rank")
KFTRAIN_DESCRIBE(pytorch_termination_master, (replica_name, replica_rank))

/// How the operator detects the end of a job.
struct pytorch_termination_policy {
    pytorch_termination_policy() = default;

    boxed<pytorch_termination_master> master; ///< absent means MASTER, rank 0
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_termination_policy, (master))

/// The specification of a PyTorchJob.
struct pytorch_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_job_spec);

    /// Part of the names of all children; empty: the operator chooses four characters and writes them here.
    std::string runtime_id;
    std::vector<pytorch_replica_spec> replica_specs;      ///< the sets of pods, usually one MASTER and one WORKER
    std::string pytorch_image;                            ///< set by the operator, but never read
    boxed<pytorch_termination_policy> termination_policy; ///< absent means MASTER, rank 0
    std::string scheduler_name;               ///< for all pods, overrides their templates; empty: the default scheduler
    std::string backend;                      ///< part of the proposal, but never read: the program chooses
    std::optional<int_or_string> master_port; ///< part of the proposal, but never read: the port of each set counts
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pytorch_job_spec, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(pytorch_job_spec,
                 (runtime_id, replica_specs, pytorch_image, termination_policy, scheduler_name, backend, master_port))

/// The state of the pods of a set. For workers the state of rank `i` is taken for worker `i`, so the last worker is
/// never observed.
struct pytorch_replica_status {
    pytorch_replica_status() = default;

    std::string replica_type; ///< MASTER or WORKER
    std::string state; ///< Failed if any failed, Running if any runs, Succeeded if all succeeded; otherwise Unknown
    std::map<std::string, std::int32_t, std::less<>> replicas_states; ///< number of replicas in each of these states
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pytorch_replica_status, {.member = "replica_type", .json_name = "replica_type"},
                    {.member = "replicas_states", .json_name = "ReplicasStates"})
KFTRAIN_REQUIRED(pytorch_replica_status, "replicas_states")
KFTRAIN_DESCRIBE(pytorch_replica_status, (replica_type, state, replicas_states))

/// The observed state of a job.
struct pytorch_job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_job_status);

    std::string phase;  ///< empty, Creating, Done or Failed; CleanUp and Running are declared and never written
    std::string reason; ///< of a failure, even if the operator retries
    std::string state;  ///< Running from the start; Succeeded, Failed
    std::vector<pytorch_replica_status> replica_statuses; ///< set by set
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_job_status, (phase, reason, state, replica_statuses))

/** A PyTorch job: replica sets; each replica has a pod and a service.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go` */
struct pytorch_job {
    pytorch_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1alpha1", "PyTorchJob", "pytorchjobs"};

    object_meta metadata;      ///< the name and `runtime_id` are part of the names of pods and services
    pytorch_job_spec spec;     ///< desired state
    pytorch_job_status status; ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pytorch_job, (metadata, spec, status))

/// A directory of the node that the container mounts.
struct pytorch_accelerator_volume {
    pytorch_accelerator_volume() = default;

    std::string name;       ///< name of the volume in the pod
    std::string host_path;  ///< on the node
    std::string mount_path; ///< in the container
};
KFTRAIN_DESCRIBE(pytorch_accelerator_volume, (name, host_path, mount_path))

/// Additions to a container that requests a device.
struct pytorch_accelerator {
    pytorch_accelerator() = default;

    std::vector<pytorch_accelerator_volume> volumes; ///< mounted into the container
    std::vector<core::env_var> env_vars;             ///< names and values
};
KFTRAIN_DESCRIBE(pytorch_accelerator, (volumes, env_vars))

/** Options of an operator of these PyTorchJobs.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go`, `ControllerConfig` */
struct pytorch_operator_options {
    pytorch_operator_options() = default;

    std::map<std::string, pytorch_accelerator, std::less<>> accelerators; ///< by resource, e.g. `nvidia.com/gpu`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_operator_options, (accelerators))

/** Reads the options from the text of the file for the upstream flag `--controller-config-file`. Rules read no
    files.
    @par Errors Those of decode_yaml() */
[[nodiscard]] result<pytorch_operator_options> read_controller_config(std::string_view yaml);

/// Sets the fields that the user left out, as the operator does when it sets up a job; idempotent. Does not change
/// RuntimeId.
/// @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/defaults.go`
void set_defaults(pytorch_job&);

/** Returns why the operator does not run the job, which must have defaults. There is no webhook: servers store such
    jobs, and the operator reports the first fault in `status.reason`.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/validation/validation.go`, `pkg/trainer/replicas.go` */
issues validate(pytorch_job const&);

/// Appends likely mistakes that the operator accepts; `complete` is the written job with defaults.
void lint(pytorch_job const& written, pytorch_job const& complete, issues&);
/// Returns the lint rules of this kind alone.
std::span<lint_rule const> pytorch_lint_rules() noexcept;

/// Returns all of these as the rules of a kind. The CRD has no schema: a value of the wrong type ended the process of
/// the upstream operator; the schema of the rules rejects it. All other fields are kept.
rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept;

} // namespace kftrain::kubeflow_v1alpha1

#endif
