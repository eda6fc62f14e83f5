#ifndef KFTRAIN_KINDS_VOLCANO_JOB_HPP
#define KFTRAIN_KINDS_VOLCANO_JOB_HPP

/** @file
    Jobs of `batch.volcano.sh/v1alpha1`: tasks of pods that start as a gang, policies for what happens to them, and plugins that
    make them a job of some framework.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/job.go`, `pkg/apis/bus/v1alpha1/{actions,events}.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/operator_flag.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>

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
    std::string volume_claim_name;                          ///< of a claim that exists; empty: one is made
    boxed<core::persistent_volume_claim_spec> volume_claim; ///< of the claim to make
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_spec, "mount_path")
KFTRAIN_DESCRIBE(volume_spec, (mount_path, volume_claim_name, volume_claim))

/// What is done when something happens: either events are named, or an exit code.
struct lifecycle_policy {
    lifecycle_policy() = default;

    std::string action; ///< AbortJob, RestartJob, RestartTask, TerminateJob, CompleteJob or ResumeJob
    std::string event;  ///< PodFailed, PodEvicted, Unknown, TaskCompleted, TaskFailed, JobUpdated, or `*` for any
    std::vector<std::string> events;          ///< more of them
    std::optional<std::int32_t> exit_code;    ///< of the first container of a pod that failed; 0 is refused
    std::optional<kftrain::duration> timeout; ///< since v1.11: the action waits so long; before, nobody looks at it
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle_policy, (action, event, events, exit_code, timeout))

/// Tasks that have to run before pods of another one are created.
struct depends_on {
    depends_on() = default;

    std::vector<std::string> name;
    std::string iteration; ///< all, which is meant if empty, or any: one of several tasks is enough
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(depends_on, (name, iteration))

/// Pods made from one template.
struct task_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(task_spec);

    std::string name;                          ///< empty: `default` and the index of the task
    std::int32_t replicas = 0;                 ///< nothing makes it 1
    std::optional<std::int32_t> min_available; ///< of these, so many count for the gang; absent: all
    core::pod_template_spec template_;         ///< its name is that of the task
    std::vector<lifecycle_policy> policies;    ///< looked at before those of the job
    /// For NUMA nodes: none, best-effort, restricted or single-numa-node; but for none, CPU requests must be whole.
    std::string topology_policy;
    std::int32_t max_retry = 0; ///< restarts of containers until the event TaskFailed; 0 means 3, -1 never
    boxed<volcano::depends_on> depends_on;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(task_spec,
                 (name, replicas, min_available, template_, policies, topology_policy, max_retry, depends_on))

/// Arguments by plugin.
using plugin_map = name_map<std::vector<std::string>>;

/// What a job is to do.
struct job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_spec);

    std::string scheduler_name;     ///< of pods whose template names none; empty: volcano
    std::int32_t min_available = 0; ///< pods that the gang needs; 0 at creation means the sum over the tasks
    std::vector<volume_spec> volumes;
    std::vector<task_spec> tasks;
    std::vector<lifecycle_policy> policies;
    plugin_map plugins;
    std::optional<kftrain::duration> running_estimate; ///< nobody looks at it
    std::string queue;                                 ///< empty: default
    std::int32_t max_retry = 0; ///< the restart of this number fails the job; 0 at creation means 3
    std::optional<std::int32_t> ttl_seconds_after_finished; ///< until a finished job is deleted; absent: it stays
    std::string priority_class_name;                        ///< of the gang; since v1.11 also of pods without one
    std::optional<std::int32_t> min_success; ///< so many succeeded pods complete the job, whatever the others do
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_spec, (scheduler_name, min_available, volumes, tasks, policies, plugins, running_estimate, queue,
                            max_retry, ttl_seconds_after_finished, priority_class_name, min_success))

struct job_state {
    job_state() = default;

    /// Pending, Aborting, Aborted, Running, Restarting, Completing, Completed, Terminating, Terminated or Failed; empty: Pending.
    std::string phase;
    std::string reason; ///< declared, never written, as the next
    std::string message;
    std::optional<time_point> last_transition_time;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_state, (phase, reason, message, last_transition_time))

/// Pods of a task by their phase.
struct task_state {
    task_state() = default;

    name_map<std::int32_t> phase;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(task_state, (phase))

/// A phase that a job went into.
struct job_condition {
    job_condition() = default;

    std::string status; ///< the phase
    std::optional<time_point> last_transition_time;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "status")
KFTRAIN_DESCRIBE(job_condition, (status, last_transition_time))

/// Counts are of pods that are not being deleted.
struct job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_status);

    job_state state;
    std::int32_t min_available = 0; ///< as in the spec
    name_map<task_state> task_status_count;
    std::int32_t pending = 0;
    std::int32_t running = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    std::int32_t terminating = 0;   ///< deleted by the pass that wrote this
    std::int32_t unknown_count = 0; ///< in no known phase; `unknown` holds unknown fields
    std::int32_t version = 0;       ///< grows whenever pods are killed; pods bear that of their creation
    std::int32_t retry_count = 0;   ///< restarts and resumptions
    std::optional<kftrain::duration> running_duration; ///< since creation, at the last kill
    string_map controlled_resources;                   ///< what plugins and volumes have made: `plugin-svc: svc`
    std::vector<job_condition> conditions;             ///< oldest first
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "unknown_count", .json_name = "unknown"})
KFTRAIN_DESCRIBE(job_status, (state, min_available, task_status_count, pending, running, succeeded, failed, terminating,
                              unknown_count, version, retry_count, running_duration, controlled_resources, conditions))

/** A job of Volcano.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/job.go` */
struct job {
    job() = default;

    static constexpr resource_info resource{"batch.volcano.sh", "v1alpha1", "Job", "jobs"};

    object_meta metadata;
    job_spec spec;
    job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(job, (metadata, spec, status))

/// Releases of Volcano that treat a job differently. Each stands for those from it up to the next.
enum class volcano_release : std::uint8_t {
    v1_9_0,
    v1_10_0, ///< pods bear the retry count; other minimal resources; each status that is written adds a condition
    v1_11_0, ///< pods have the priority class of the job; policies may wait; parts of a job are restarted
    v1_12_3, ///< WORLD_SIZE counts master and workers only; plugin hcclrank
    v1_13_0, ///< plugin ray
};

/// What the plugins of frameworks do: tensorflow, pytorch, mpi and mxnet.
enum class framework_plugins : std::uint8_t {
    released, ///< what they do in the release; none has mxnet
    /** What their design document says, too: launch order, a hostfile, variables for torchrun, plugin mxnet, policies by admission.
        @par Upstream volcano v1.9.0 `docs/design/distributed-framework-plugins.md`; where it says nothing, the release counts */
    designed,
};

/// How plugins as designed see to it that tasks start one after the other.
enum class launch_order : std::uint8_t {
    init_containers, ///< all pods are created, and those of a task that comes later wait in an init container
    depends_on,      ///< admission writes `dependsOn`, and pods that come later are created later
};

/** What an operator of Volcano Jobs can be told; `plugins` and `order` are of kftrain alone.
    @par Upstream volcano v1.9.0 `cmd/controller-manager/app/options/options.go`, `cmd/webhook-manager/app/options/options.go` */
struct job_operator_options {
    job_operator_options() = default;

    volcano_release release = volcano_release::v1_9_0;
    std::string scheduler_name = "volcano"; ///< of jobs that name none
    framework_plugins plugins = framework_plugins::released;
    launch_order order = launch_order::init_containers; ///< of plugins as designed
};

/// What the mutating webhook fills in when a job is created; idempotent.
/// @par Upstream volcano v1.9.0 `pkg/webhooks/admission/jobs/mutate/mutate_job.go`
void set_defaults(job&, job_operator_options const& = job_operator_options());

/** Every rule that the validating webhook refuses a new job by, in its order and words; of a job with defaults. The queue is not
    looked at.
    @par Upstream volcano v1.9.0 `pkg/webhooks/admission/jobs/validate/admit_job.go` */
issues validate(job const&, job_operator_options const& = job_operator_options());
/// The same of a job that replaces a stored one.
issues validate_update(job const& next, job const& before);

/// Appends what admission takes and what is hardly meant; works on the job as submitted.
void lint(job const&, issues&, job_operator_options const& = job_operator_options());
/// The rules that lint() of this kind alone knows.
std::span<lint_rule const> lint_rules() noexcept;

/// The schema of the kind's CRD, in the form of resource_schema::parse().
std::string_view schema() noexcept;

/// `--scheduler-name`; of kftrain alone, `--volcano-plugins` and `--volcano-launch-order`.
std::span<operator_flag const> operator_flags() noexcept;

/// All of these as the rules of a kind.
rules::job_rules const& kftrain_job_rules(type_tag<job>) noexcept;

} // namespace kftrain::volcano

namespace kftrain {

using volcano_job = volcano::job;

} // namespace kftrain

#endif
