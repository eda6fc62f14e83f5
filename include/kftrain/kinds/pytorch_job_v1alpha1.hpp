#ifndef KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_HPP

/** @file
    PyTorchJobs of `kubeflow.org/v1alpha1`, the first form of that kind: a list of replica sets, phases in the place of conditions.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core.hpp>

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

/// A set of pods that do the same.
struct pytorch_replica_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_replica_spec);

    std::optional<std::int32_t> replicas;     ///< absent means 1; of the MASTER no other number will do
    boxed<core::pod_template_spec> template_; ///< of its metadata nothing reaches the pods; must be there
    std::optional<std::int32_t>
        master_port;                  ///< of the services of this set, and of its MASTER_PORT; absent means 23456
    std::string replica_type;         ///< MASTER or WORKER; empty means MASTER
    std::string pytorch_replica_type; ///< the same in the spelling of the first proposal; replica_type wins
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_replica_spec, (replicas, template_, master_port, replica_type, pytorch_replica_type))

/// Whose end is the end of the job.
struct pytorch_termination_master {
    pytorch_termination_master() = default;

    std::string replica_name;      ///< a replica type
    std::int32_t replica_rank = 0; ///< as in RANK, so that the first worker is 1
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pytorch_termination_master, "replica_name", "replica_rank")
KFTRAIN_DESCRIBE(pytorch_termination_master, (replica_name, replica_rank))

struct pytorch_termination_policy {
    pytorch_termination_policy() = default;

    boxed<pytorch_termination_master> master; ///< absent means MASTER, rank 0
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_termination_policy, (master))

/// What a PyTorchJob is to do.
struct pytorch_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_job_spec);

    /// Part of the names of all children; empty: the operator chooses four characters and writes them here.
    std::string runtime_id;
    std::vector<pytorch_replica_spec> replica_specs;
    std::string pytorch_image; ///< filled in, and read by nobody
    boxed<pytorch_termination_policy> termination_policy;
    std::string scheduler_name; ///< of all pods, whatever their templates say; empty: the default scheduler
    std::string backend;        ///< of the proposal: read by nobody, the program chooses
    std::optional<int_or_string> master_port; ///< of the proposal: read by nobody, that of each set counts
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pytorch_job_spec, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(pytorch_job_spec,
                 (runtime_id, replica_specs, pytorch_image, termination_policy, scheduler_name, backend, master_port))

/// What the pods of a set do. Of workers the state of rank `i` counts for worker `i`, so that the last one is never seen.
struct pytorch_replica_status {
    pytorch_replica_status() = default;

    std::string replica_type;
    std::string state; ///< Failed if any has failed, Running if any runs, Succeeded if all have; else Unknown
    std::map<std::string, std::int32_t, std::less<>> replicas_states; ///< how many are in which of these states
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pytorch_replica_status, {.member = "replica_type", .json_name = "replica_type"},
                    {.member = "replicas_states", .json_name = "ReplicasStates"})
KFTRAIN_DESCRIBE(pytorch_replica_status, (replica_type, state, replicas_states))

struct pytorch_job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pytorch_job_status);

    std::string phase;  ///< empty, Creating, Done or Failed; CleanUp and Running are declared and never written
    std::string reason; ///< of a failure, be it that something is tried again
    std::string state;  ///< Running from the start; Succeeded, Failed
    std::vector<pytorch_replica_status> replica_statuses; ///< set by set
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_job_status, (phase, reason, state, replica_statuses))

/** A PyTorch job: replica sets whose replicas are a pod and a service each.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go` */
struct pytorch_job {
    pytorch_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1alpha1", "PyTorchJob", "pytorchjobs"};

    object_meta metadata;
    pytorch_job_spec spec;
    pytorch_job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pytorch_job, (metadata, spec, status))

struct pytorch_accelerator_volume {
    pytorch_accelerator_volume() = default;

    std::string name;
    std::string host_path;  ///< on the node
    std::string mount_path; ///< in the container
};
KFTRAIN_DESCRIBE(pytorch_accelerator_volume, (name, host_path, mount_path))

/// What a container that asks for a device gets besides.
struct pytorch_accelerator {
    pytorch_accelerator() = default;

    std::vector<pytorch_accelerator_volume> volumes;
    std::vector<core::env_var> env_vars; ///< names and values
};
KFTRAIN_DESCRIBE(pytorch_accelerator, (volumes, env_vars))

/** What an operator of these PyTorchJobs can be told.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/types.go`, `ControllerConfig` */
struct pytorch_operator_options {
    pytorch_operator_options() = default;

    std::map<std::string, pytorch_accelerator, std::less<>> accelerators; ///< by resource, e.g. `nvidia.com/gpu`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_operator_options, (accelerators))

/** The options in the text of the file that the flag `--controller-config-file` of upstream names. Rules read no files.
    @par Errors Those of decode_yaml() */
result<pytorch_operator_options> read_controller_config(std::string_view yaml);

/// Fills what the user left out, as the operator does when it sets a job up; idempotent. RuntimeId stays as it is.
/// @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/defaults.go`
void set_defaults(pytorch_job&);

/** Why the operator does not run the job, of a job with defaults. There is no webhook: servers store such jobs, and the
    operator tells the first fault in `status.reason`.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/validation/validation.go`, `pkg/trainer/replicas.go` */
issues validate(pytorch_job const&);

/// Appends what the operator takes and what is hardly meant; works on the job as submitted.
void lint(pytorch_job const&, issues&);
/// The rules that lint() of this kind alone knows.
std::span<lint_rule const> pytorch_lint_rules() noexcept;

/// The types of the fields, in the form of resource_schema::parse(). The CRD has no schema: what has the wrong type ended
/// upstream's process, and is refused by this one. All other fields are kept.
std::string_view pytorch_schema() noexcept;

/// All of these as the rules of a kind.
rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept;

} // namespace kftrain::kubeflow_v1alpha1

#endif
