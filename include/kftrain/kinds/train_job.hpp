#ifndef KFTRAIN_KINDS_TRAIN_JOB_HPP
#define KFTRAIN_KINDS_TRAIN_JOB_HPP

/** @file TrainJobs of `trainer.kubeflow.org/v1alpha1`: what to train, with a reference to the runtime for it.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/apis/trainer/v1alpha1/trainjob_types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

class resource_schema; // kftrain/model/schema.hpp

namespace jobset {
struct job_set; // kftrain/objects/jobset/job_set.hpp
} // namespace jobset

namespace rules {
struct admission_answer; // kftrain/job/admission.hpp
struct admission_context;
struct reference;
} // namespace rules

namespace trainer {

struct training_runtime_spec; // kftrain/objects/trainer/training_runtime.hpp

/// The runtime of a job.
struct runtime_ref {
    runtime_ref() = default;

    std::string name;                     ///< name of the runtime
    std::optional<std::string> api_group; ///< absent means `trainer.kubeflow.org`
    /// ClusterTrainingRuntime (also if absent), or TrainingRuntime of the namespace of the job.
    std::optional<std::string> kind;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(runtime_ref, "name")
KFTRAIN_DESCRIBE(runtime_ref, (name, api_group, kind))

/// The source from which an initializer copies to the shared volume of the job.
struct storage_source {
    storage_source() = default;

    std::string storage_uri;                        ///< e.g. `hf://org/name`, `s3://bucket/path`
    std::vector<core::env_var> env;                 ///< further variables of the initializer
    boxed<core::local_object_reference> secret_ref; ///< Secret whose keys become variables of the initializer
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(storage_source, {.member = "env", .merge_key = "name"})
KFTRAIN_DESCRIBE(storage_source, (storage_uri, env, secret_ref))

/// The sources that initializers fetch before the training starts. The runtime must have a Job for each.
struct initializer {
    initializer() = default;

    boxed<storage_source> dataset; ///< absent: the settings of the runtime
    boxed<storage_source> model;   ///< absent: the settings of the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(initializer, (dataset, model))

/// The program in the container `node` of the Job that trains. Absent fields are those of the runtime.
struct job_trainer {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_trainer);

    std::string image;                     ///< image of the container
    std::vector<std::string> command;      ///< replaces the command; the arguments of the runtime stay
    std::vector<std::string> args;         ///< replaces the arguments
    std::vector<core::env_var> env;        ///< further variables; take precedence over those of the runtime
    std::optional<std::int32_t> num_nodes; ///< number of pods
    /// Added to the resources of the runtime by name, but counted alone: see `num_proc_per_node`.
    boxed<core::resource_requirements> resources_per_node;
    /// Processes in each pod; absent: by the policy of the runtime, for PyTorch from GPUs or CPUs.
    std::optional<std::int32_t> num_proc_per_node;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_trainer, {.member = "env", .merge_key = "name"})
KFTRAIN_DESCRIBE(job_trainer, (image, command, args, env, num_nodes, resources_per_node, num_proc_per_node))

/// Changes of a container of the runtime.
struct container_patch {
    container_patch() = default;

    std::string name;                               ///< name of the container
    std::vector<core::env_var> env;                 ///< not for `node` and the containers of initializers
    std::vector<core::volume_mount> volume_mounts;  ///< further mounts
    boxed<core::security_context> security_context; ///< changed settings
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_patch, "name")
KFTRAIN_FIELD_RULES(container_patch, {.member = "env", .merge_key = "name"},
                    {.member = "volume_mounts", .merge_key = "mountPath", .list_keys = "name"})
KFTRAIN_DESCRIBE(container_patch, (name, env, volume_mounts, security_context))

/// Changes of the pods of a Job of the runtime. Only node selector, affinity, tolerations and scheduling gates may
/// change after the creation.
struct pod_spec_patch {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_spec_patch);

    std::string service_account_name;                             ///< replaces the service account
    string_map node_selector;                                     ///< further labels of the node
    boxed<core::affinity> affinity;                               ///< changed rules; lists of terms are replaced
    std::vector<core::toleration> tolerations;                    ///< replaces the tolerations
    std::vector<core::volume> volumes;                            ///< further volumes
    std::vector<container_patch> init_containers;                 ///< changes of init containers
    std::vector<container_patch> containers;                      ///< changes of containers
    std::vector<core::pod_scheduling_gate> scheduling_gates;      ///< further gates
    std::vector<core::local_object_reference> image_pull_secrets; ///< further Secrets
    boxed<core::pod_security_context> security_context;           ///< changed settings
    std::optional<std::int64_t> termination_grace_period_seconds; ///< replaces the grace period
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pod_spec_patch, {.member = "volumes", .merge_key = "name", .retain_keys = true},
                    {.member = "init_containers", .merge_key = "name"}, {.member = "containers", .merge_key = "name"},
                    {.member = "scheduling_gates", .merge_key = "name"},
                    {.member = "image_pull_secrets", .merge_key = "name"})
KFTRAIN_DESCRIBE(pod_spec_patch,
                 (service_account_name, node_selector, affinity, tolerations, volumes, init_containers, containers,
                  scheduling_gates, image_pull_secrets, security_context, termination_grace_period_seconds))

/// Changes of a pod template.
struct pod_template_patch {
    pod_template_patch() = default;

    object_meta metadata;       ///< labels and annotations of the pods
    boxed<pod_spec_patch> spec; ///< changes of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_template_patch, (metadata, spec))

/// Changes of the specification of a Job.
struct job_spec_patch {
    job_spec_patch() = default;

    boxed<pod_template_patch> template_; ///< changes of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_spec_patch, (template_))

/// Changes of a Job template.
struct job_template_patch {
    job_template_patch() = default;

    object_meta metadata;       ///< labels and annotations of the Job
    boxed<job_spec_patch> spec; ///< changes of the Job
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_template_patch, (metadata, spec))

/// Changes of a Job of the runtime.
struct replicated_job_patch {
    replicated_job_patch() = default;

    std::string name;                    ///< name of an entry of the runtime's `replicatedJobs`
    boxed<job_template_patch> template_; ///< the changes
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(replicated_job_patch, "name")
KFTRAIN_DESCRIBE(replicated_job_patch, (name, template_))

/// Changes of the specification of the JobSet.
struct job_set_spec_patch {
    job_set_spec_patch() = default;

    std::vector<replicated_job_patch> replicated_jobs; ///< changes of its Jobs
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_set_spec_patch, {.member = "replicated_jobs", .merge_key = "name"})
KFTRAIN_DESCRIBE(job_set_spec_patch, (replicated_jobs))

/// Changes of the template of the JobSet.
struct job_set_template_patch {
    job_set_template_patch() = default;

    object_meta metadata;           ///< labels and annotations of the JobSet
    boxed<job_set_spec_patch> spec; ///< changes of the JobSet
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_set_template_patch, (metadata, spec))

/// Changes of the specification of the runtime.
struct training_runtime_spec_patch {
    training_runtime_spec_patch() = default;

    boxed<job_set_template_patch> template_; ///< changes of the template
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(training_runtime_spec_patch, (template_))

/// Changes of the runtime for one job, by one writer. They apply in the order of the list.
struct runtime_patch {
    runtime_patch() = default;

    std::string manager;            ///< the writer, as a path with a domain: `example.com/platform`
    std::optional<time_point> time; ///< time of the last change; set by the webhook
    boxed<kftrain::trainer::training_runtime_spec_patch> training_runtime_spec; ///< the changes
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(runtime_patch, "manager")
KFTRAIN_DESCRIBE(runtime_patch, (manager, time, training_runtime_spec))

/// The specification of a job. Only `suspend` and `runtime_patches` may change after the creation.
struct train_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(train_job_spec);

    kftrain::trainer::runtime_ref runtime_ref;           ///< how to run the job
    boxed<kftrain::trainer::initializer> initializer;    ///< absent: the settings of the runtime
    boxed<job_trainer> trainer;                          ///< absent: no variables of the framework are injected
    std::vector<runtime_patch> runtime_patches;          ///< changes of the runtime for this job
    std::optional<bool> suspend;                         ///< if true, no pods run; absent means false
    std::optional<std::int64_t> active_deadline_seconds; ///< seconds until the job fails; absent: no limit
    /// Controller of the job: `trainer.kubeflow.org/trainjob-controller` (also if absent) or
    /// `kueue.x-k8s.io/multikueue`.
    std::optional<std::string> managed_by;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(train_job_spec, {.member = "runtime_patches", .merge_key = "manager"})
KFTRAIN_REQUIRED(train_job_spec, "runtime_ref")
KFTRAIN_DESCRIBE(train_job_spec,
                 (runtime_ref, initializer, trainer, runtime_patches, suspend, active_deadline_seconds, managed_by))

/// Counts of the Jobs of one entry of the JobSet. A TrainJob has one Job for each entry.
struct job_status {
    job_status() = default;

    std::string name;           ///< name of the entry
    std::int32_t ready = 0;     ///< unfinished Jobs whose ready and succeeded pods are as many as requested
    std::int32_t succeeded = 0; ///< Jobs that completed
    std::int32_t failed = 0;    ///< Jobs that failed
    std::int32_t active = 0;    ///< unfinished Jobs with at least one active pod
    std::int32_t suspended = 0; ///< Jobs that are suspended
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_status, "name", "ready", "succeeded", "failed", "active", "suspended")
KFTRAIN_DESCRIBE(job_status, (name, ready, succeeded, failed, active, suspended))

/// A value that the training program reports.
struct metric {
    metric() = default;

    std::string name;  ///< e.g. `loss`
    std::string value; ///< the value as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric, "name", "value")
KFTRAIN_DESCRIBE(metric, (name, value))

/// The progress that the training program reports. Needs the feature gate `TrainJobStatus`.
struct trainer_status {
    trainer_status() = default;

    std::optional<std::int32_t> progress_percentage;         ///< 0 to 100
    std::optional<std::int32_t> estimated_remaining_seconds; ///< time until the end
    std::vector<metric> metrics;                             ///< at most 256
    std::optional<time_point> last_updated_time;             ///< time of the report
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(trainer_status, (progress_percentage, estimated_remaining_seconds, metrics, last_updated_time))

/// The observed state of a job. A job that runs and was never suspended has no conditions.
struct train_job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(train_job_status);

    std::vector<meta::condition> conditions;                ///< Suspended, Complete or Failed, at most one of each type
    std::vector<job_status> jobs_status;                    ///< counts of Jobs, in any order
    boxed<kftrain::trainer::trainer_status> trainer_status; ///< absent: the program has reported nothing
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(train_job_status, {.member = "conditions", .merge_key = "type"},
                    {.member = "jobs_status", .merge_key = "name"})
KFTRAIN_DESCRIBE(train_job_status, (conditions, jobs_status, trainer_status))

/** A job of Kubeflow Trainer.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/apis/trainer/v1alpha1/trainjob_types.go` */
struct train_job {
    train_job() = default;

    static constexpr resource_info resource{"trainer.kubeflow.org", "v1alpha1", "TrainJob", "trainjobs"};

    object_meta metadata;    ///< the JobSet and its Jobs have the name; 33 to 48 characters at most
    train_job_spec spec;     ///< desired state
    train_job_status status; ///< observed state, written by the controller
    unknown_fields unknown;
    /// The object of runtime_of(), empty if it does not exist; absent: not looked up. No field of the API: set by
    /// any_job::resolve(), neither encoded nor compared.
    boxed<any_object> runtime;
};
KFTRAIN_DESCRIBE_OPTIONS(train_job, (), (metadata, spec, status)) // without runtime
KFTRAIN_DECLARE_TABLE(::kftrain::object_list<train_job>, train_job_list)

/// Returns the rules of the kind.
rules::job_rules const& kftrain_job_rules(type_tag<train_job>) noexcept;

/// Returns the ClusterTrainingRuntimes of an installation of the operator that need no data: those for PyTorch, JAX,
/// XGBoost, DeepSpeed and MLX. @par Upstream kubeflow/trainer v2.3.0 `manifests/base/runtimes/`
std::vector<any_object> const& installed_runtimes();

/** Sets the fields that an API server fills in: group and kind of the runtime, `suspend` and `managed_by`; idempotent.
    Does not set the times of patches, which a webhook takes from its clock. */
void set_defaults(train_job&);
/// Sets the defaults of the policies of a runtime; idempotent.
void set_defaults(training_runtime_spec&);

/// Returns the runtime to which a job refers; without a type if its kind is unknown.
rules::reference runtime_of(train_job const&);

/** Returns every violated rule of a job, with the messages of the webhook. Does not check the schema of the CRD.
    @param runtime The TrainingRuntime or ClusterTrainingRuntime of runtime_of(); an empty object if it does not exist,
    which is an error.
    @param before The stored job for an update, otherwise null
    @par Upstream kubeflow/trainer v2.3.0 `pkg/webhooks/trainjob_webhook.go`, `pkg/runtime/framework/plugins/` */
issues validate(train_job const&, any_object const& runtime, train_job const* before = nullptr);

/** Returns every violated rule of a runtime, with the messages of the webhook.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/webhooks/trainingruntime_webhook.go` */
issues validate(training_runtime_spec const&);

/** Returns the answer of the webhook: validate() with the runtime, and what a change needs of other objects.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/webhooks/trainjob_webhook.go` */
rules::admission_answer admit(train_job const&, rules::admission_context const&);

/** Returns the objects that the operator applies for a job, without keys: the copy of the runtime, for MPI a Secret and
    a hostfile, the JobSet, and a PodGroup. The job must be valid.
    @param runtime The TrainingRuntime or ClusterTrainingRuntime of runtime_of()
    @par Errors `errc::invalid_argument` without the runtime, for patches that do not fit the template, and for more
    than 100,000 pods; `errc::not_supported` for the policy flux, and for another MPI than OpenMPI
    @par Upstream kubeflow/trainer v2.3.0 `pkg/runtime/core/trainingruntime.go` */
[[nodiscard]] result<std::vector<any_object>> render(train_job const&, any_object const& runtime);

/** Returns the members of a job: the pods of each entry of the template. Those that train have ranks if the runtime
    passes them; addresses are those of the headless service. The job must be valid.
    @param runtime The TrainingRuntime or ClusterTrainingRuntime of runtime_of(); without it there is one role, of all
    pods, and no members */
membership lay_out(train_job const&, any_object const& runtime);

/** Returns the status of a job after a look at its JobSet.
    @param set The JobSet of the job; null if there is none, which leaves the counts as they are
    @param now Time of conditions that are new or change
    @par Upstream kubeflow/trainer v2.3.0 `pkg/controller/trainjob_controller.go`,
    `pkg/runtime/framework/plugins/jobset/jobset.go` */
train_job_status judge(train_job const&, jobset::job_set const* set, time_point now);
/// Returns the time after which judge() fails a job because of `active_deadline_seconds`; absent without a limit, and
/// while it is suspended.
std::optional<time_point> deadline_of(train_job const&);

/** Returns the phase of a job by its status. A job without conditions runs as soon as the pods of one of its Jobs are
    ready. */
job_phase phase_of(train_job const&) noexcept;

/// Returns the schema of the CRD of TrainJobs.
resource_schema const& schema();
/// The same for TrainingRuntime and ClusterTrainingRuntime.
resource_schema const& runtime_schema();
/// The same for JobSet.
resource_schema const& job_set_schema();

} // namespace trainer

using train_job = trainer::train_job;

} // namespace kftrain

#endif
