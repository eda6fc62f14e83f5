#ifndef KFTRAIN_KINDS_VOLCANO_JOB_HPP
#define KFTRAIN_KINDS_VOLCANO_JOB_HPP

/** @file Jobs of `batch.volcano.sh/v1alpha1`: tasks of pods that start as a gang, policies for their events, and
    plugins for frameworks.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/job.go`,
    `pkg/apis/bus/v1alpha1/{actions,events}.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::volcano {

/// Storage that every pod of a job mounts.
struct volume_spec {
    volume_spec() = default;

    std::string mount_path;                                 ///< in the main containers
    std::string volume_claim_name;                          ///< name of an existing claim; empty: a claim is created
    boxed<core::persistent_volume_claim_spec> volume_claim; ///< spec of the claim to create
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_spec, "mount_path")
KFTRAIN_DESCRIBE(volume_spec, (mount_path, volume_claim_name, volume_claim))

/// The reaction to an event: a policy has either events or an exit code.
struct lifecycle_policy {
    lifecycle_policy() = default;

    std::string action; ///< AbortJob, RestartJob, RestartTask, TerminateJob, CompleteJob or ResumeJob
    std::string event;  ///< PodFailed, PodEvicted, Unknown, TaskCompleted, TaskFailed, JobUpdated, or `*` for any
    std::vector<std::string> events;          ///< additional events
    std::optional<std::int32_t> exit_code;    ///< of the first container of a failed pod; 0 is rejected
    std::optional<kftrain::duration> timeout; ///< since v1.11: delay of the action; ignored before
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle_policy, (action, event, events, exit_code, timeout))

/// Tasks that must run before the pods of another task are created.
struct depends_on {
    depends_on() = default;

    std::vector<std::string> name; ///< names of the tasks
    std::string iteration;         ///< all (also if empty) or any: one of several tasks is enough
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(depends_on, (name, iteration))

/// Pods made from one template.
struct task_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(task_spec);

    std::string name;                          ///< empty: `default` and the index of the task
    std::int32_t replicas = 0;                 ///< there is no default of 1
    std::optional<std::int32_t> min_available; ///< number of these pods that count for the gang; absent: all
    core::pod_template_spec template_;         ///< its name is replaced by the name of the task
    std::vector<lifecycle_policy> policies;    ///< evaluated before those of the job
    /// For NUMA nodes: none, best-effort, restricted or single-numa-node; except for none, CPU requests must be whole
    /// numbers.
    std::string topology_policy;
    std::int32_t max_retry = 0;            ///< container restarts until the event TaskFailed; 0 means 3, -1 never
    boxed<volcano::depends_on> depends_on; ///< absent: its pods wait for no other task
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(task_spec,
                 (name, replicas, min_available, template_, policies, topology_policy, max_retry, depends_on))

/// Arguments by plugin name.
using plugin_map = name_map<std::vector<std::string>>;

/// The specification of a job.
struct job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_spec);

    std::string scheduler_name;             ///< for pods without one in their template; empty: volcano
    std::int32_t min_available = 0;         ///< pods that the gang needs; 0 at creation means the sum over the tasks
    std::vector<volume_spec> volumes;       ///< mounted in all pods
    std::vector<task_spec> tasks;           ///< all their pods belong to one gang
    std::vector<lifecycle_policy> policies; ///< reactions to events, for all tasks
    plugin_map plugins;                     ///< e.g. `svc`, `env`, `ssh`, `pytorch`, with their arguments
    std::optional<kftrain::duration> running_estimate; ///< ignored
    std::string queue;                                 ///< empty: default
    std::int32_t max_retry = 0; ///< the restart of this number fails the job; 0 at creation means 3
    std::optional<std::int32_t> ttl_seconds_after_finished; ///< until a finished job is deleted; absent: it stays
    std::string priority_class_name;                        ///< of the gang; since v1.11 also of pods without one
    /// This number of succeeded pods completes the job, regardless of the others.
    std::optional<std::int32_t> min_success;
    /// Copied to the gang since v1.12; earlier servers drop it. Absent: any nodes.
    boxed<network_topology_spec> network_topology;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_spec, (scheduler_name, min_available, volumes, tasks, policies, plugins, running_estimate, queue,
                            max_retry, ttl_seconds_after_finished, priority_class_name, min_success, network_topology))

/// The current phase of a job.
struct job_state {
    job_state() = default;

    /// Pending, Aborting, Aborted, Running, Restarting, Completing, Completed, Terminating, Terminated or Failed;
    /// empty: Pending.
    std::string phase;
    /// FailedValidation, written only by the operator of kftrain; upstream declares this field and the next
    std::string reason;
    std::string message;                            ///< the reason of the failed validation
    std::optional<time_point> last_transition_time; ///< when the job entered the phase
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_state, (phase, reason, message, last_transition_time))

/// Pods of a task by phase.
struct task_state {
    task_state() = default;

    name_map<std::int32_t> phase; ///< number of pods by phase, e.g. `Running`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(task_state, (phase))

/// A phase that a job entered.
struct job_condition {
    job_condition() = default;

    std::string status;                             ///< the phase
    std::optional<time_point> last_transition_time; ///< when the job entered the phase
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "status")
KFTRAIN_DESCRIBE(job_condition, (status, last_transition_time))

/// Counts exclude pods that are being deleted.
struct job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_status);

    job_state state;                        ///< the current phase
    std::int32_t min_available = 0;         ///< as in the spec
    name_map<task_state> task_status_count; ///< pods by phase, by name of the task
    std::int32_t pending = 0;               ///< pods in the phase Pending
    std::int32_t running = 0;               ///< pods in the phase Running
    std::int32_t succeeded = 0;             ///< pods in the phase Succeeded
    std::int32_t failed = 0;                ///< pods in the phase Failed
    std::int32_t terminating = 0;           ///< deleted by the pass that wrote this status
    std::int32_t unknown_count = 0;         ///< in no known phase; `unknown` holds unknown fields
    std::int32_t version = 0;     ///< increases whenever pods are killed; pods carry the version of their creation
    std::int32_t retry_count = 0; ///< restarts and resumptions
    std::optional<kftrain::duration> running_duration; ///< since creation, at the last kill
    string_map controlled_resources;                   ///< objects created by plugins and volumes: `plugin-svc: svc`
    std::vector<job_condition> conditions;             ///< oldest first
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "unknown_count", .json_name = "unknown"})
KFTRAIN_DESCRIBE(job_status, (state, min_available, task_status_count, pending, running, succeeded, failed, terminating,
                              unknown_count, version, retry_count, running_duration, controlled_resources, conditions))

/** A Volcano job.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/job.go` */
struct job {
    job() = default;

    static constexpr resource_info resource{"batch.volcano.sh", "v1alpha1", "Job", "jobs"};

    object_meta metadata; ///< the name prefixes the names of the pods: `<name>-<task>-<index>`
    job_spec spec;        ///< desired state
    job_status status;    ///< observed state, written by the controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(job, (metadata, spec, status))

/// Releases of Volcano that treat a job differently. Each one covers the releases up to the next one.
enum class volcano_release : std::uint8_t {
    v1_9_0,
    v1_10_0, ///< pods carry the retry count; other minimal resources; each write of the status adds a condition
    v1_11_0, ///< pods have the priority class of the job; policies may have delays; parts of a job are restarted
    v1_12_3, ///< WORLD_SIZE counts master and workers only; plugin hcclrank; networkTopology
    v1_13_0, ///< plugin ray
};

/// The behaviour of the framework plugins: tensorflow, pytorch, mpi and mxnet.
enum class framework_plugins : std::uint8_t {
    released, ///< as in the release; no release has mxnet
    /** Also what their design document describes: launch order, a hostfile, variables for torchrun, plugin mxnet,
        policies by admission.
        @par Upstream volcano v1.9.0 `docs/design/distributed-framework-plugins.md`; otherwise as in the release */
    designed,
};

/// How plugins as designed make tasks start in order.
enum class launch_order : std::uint8_t {
    init_containers, ///< all pods are created; the pods of later tasks wait in an init container
    depends_on,      ///< admission writes `dependsOn`; the pods of later tasks are created later
};

/** Options of an operator of Volcano Jobs; only kftrain has `plugins` and `order`.
    @par Upstream volcano v1.9.0 `cmd/controller-manager/app/options/options.go`,
    `cmd/webhook-manager/app/options/options.go` */
struct volcano_operator_options {
    volcano_operator_options() = default;

    volcano_release release = volcano_release::v1_9_0;       ///< release that the rules follow
    std::string scheduler_name = "volcano";                  ///< for jobs without one
    framework_plugins plugins = framework_plugins::released; ///< behaviour of the framework plugins
    launch_order order = launch_order::init_containers;      ///< for plugins as designed
};

/// Sets the fields that the mutating webhook sets when a job is created; idempotent.
/// @par Upstream volcano v1.9.0 `pkg/webhooks/admission/jobs/mutate/mutate_job.go`
void set_defaults(job&, volcano_operator_options const& = volcano_operator_options());

/** Returns every violated rule of a new job, in the order and with the messages of the validating webhook; the job must
    have defaults. Does not check the queue.
    @par Upstream volcano v1.9.0 `pkg/webhooks/admission/jobs/validate/admit_job.go` */
issues validate(job const&, volcano_operator_options const& = volcano_operator_options());
/// The same for a job that replaces a stored one.
issues validate_update(job const& next, job const& before);

/// Appends likely mistakes that admission accepts; the job must have defaults.
void lint(job const&, issues&, volcano_operator_options const& = volcano_operator_options());
/// Returns the lint rules of this kind alone.
std::span<lint_rule const> lint_rules() noexcept;

/// Returns all of these as the rules of a kind.
rules::job_rules const& kftrain_job_rules(type_tag<job>) noexcept;

} // namespace kftrain::volcano

namespace kftrain {

using volcano_job = volcano::job;

} // namespace kftrain

#endif
