#ifndef KFTRAIN_OBJECTS_JOBSET_JOB_SET_HPP
#define KFTRAIN_OBJECTS_JOBSET_JOB_SET_HPP

/** @file Sets of batch Jobs that start, restart and end together, `jobset.x-k8s.io/v1alpha2`.
    @par Upstream kubernetes-sigs/jobset v0.12.0 `api/jobset/v1alpha2/jobset_types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>

namespace kftrain::jobset {

/// The DNS names of the pods.
struct network {
    network() = default;

    /// Whether pods have the host name `<set>-<replicated job>-<job>-<index>`; absent means true.
    std::optional<bool> enable_dns_hostnames;
    std::string subdomain; ///< name of the headless service; empty: the name of the set
    /// Whether pods have addresses before they are ready; absent means true.
    std::optional<bool> publish_not_ready_addresses;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(network, {.member = "enable_dns_hostnames", .json_name = "enableDNSHostnames"})
KFTRAIN_DESCRIBE(network, (enable_dns_hostnames, subdomain, publish_not_ready_addresses))

/// An earlier entry of the list that must reach a state before the Jobs of this one are created.
struct depends_on {
    depends_on() = default;

    std::string name;   ///< name of the earlier entry
    std::string status; ///< Ready or Complete
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(depends_on, "name", "status")
KFTRAIN_DESCRIBE(depends_on, (name, status))

/// Jobs made from one template.
struct replicated_job {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replicated_job);

    std::string name;                     ///< part of the names of the Jobs: `<set>-<name>-<index>`
    std::string group_name;               ///< entries of one name share a numbering of their Jobs; empty: default
    batch::job_template_spec template_;   ///< every Job is made from it
    std::optional<std::int32_t> replicas; ///< number of Jobs; absent means 1
    std::vector<kftrain::jobset::depends_on> depends_on; ///< at most 5, all of them earlier in the list
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(replicated_job, "name", "template_")
KFTRAIN_FIELD_RULES(replicated_job, {.member = "depends_on", .merge_key = "name"})
KFTRAIN_DESCRIBE(replicated_job, (name, group_name, template_, replicas, depends_on))

/// When the set succeeds.
struct success_policy {
    success_policy() = default;

    std::string operator_;                           ///< All or Any of the Jobs must succeed
    std::vector<std::string> target_replicated_jobs; ///< entries whose Jobs count; empty: all
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(success_policy, "operator_")
KFTRAIN_DESCRIBE(success_policy, (operator_, target_replicated_jobs))

/// The reaction to a failed Job.
struct failure_policy_rule {
    failure_policy_rule() = default;

    std::string name; ///< empty: `failurePolicyRule` and the index of the rule
    /// FailJobSet, RestartJobSet, RestartJobSetAndIgnoreMaxRestarts, RestartJob or RestartJobAndIgnoreMaxRestarts.
    std::string action;
    std::vector<std::string> on_job_failure_reasons;          ///< reasons of the failed Job; empty: any
    std::vector<std::string> on_job_failure_message_patterns; ///< regular expressions for its message; empty: any
    std::vector<std::string> target_replicated_jobs;          ///< entries to which the rule applies; empty: all
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(failure_policy_rule, "name", "action")
KFTRAIN_DESCRIBE(failure_policy_rule,
                 (name, action, on_job_failure_reasons, on_job_failure_message_patterns, target_replicated_jobs))

/// Consequences of the failure of a Job. Without a policy, the set fails.
struct failure_policy {
    failure_policy() = default;

    std::int32_t max_restarts = 0;          ///< restarts after which the next failure fails the set
    std::string restart_strategy;           ///< Recreate (also if empty), BlockingRecreate or InPlaceRestart
    std::vector<failure_policy_rule> rules; ///< the first that matches applies; if none does, the set restarts
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(failure_policy, (max_restarts, restart_strategy, rules))

/// The order in which the Jobs start. Deprecated: use `depends_on`.
struct startup_policy {
    startup_policy() = default;

    std::string startup_policy_order; ///< AnyOrder, or InOrder: each entry when the one before it is ready
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(startup_policy, "startup_policy_order")
KFTRAIN_DESCRIBE(startup_policy, (startup_policy_order))

/// The pod whose address all Jobs and pods carry as a label and an annotation.
struct coordinator {
    coordinator() = default;

    std::string replicated_job; ///< name of its entry
    std::int64_t job_index = 0; ///< index of its Job
    std::int64_t pod_index = 0; ///< its completion index
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(coordinator, "replicated_job")
KFTRAIN_DESCRIBE(coordinator, (replicated_job, job_index, pod_index))

/// Treatment of the claims when the set is deleted.
struct volume_retention_policy {
    volume_retention_policy() = default;

    std::string when_deleted; ///< Delete (also if empty) or Retain
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_retention_policy, (when_deleted))

/// Claims that the set creates and its pods share.
struct volume_claim_policy {
    volume_claim_policy() = default;

    /// Claims; the name of each is the name of the volume in the pods, and begins the name of the claim:
    /// `<name>-<set>`.
    std::vector<core::persistent_volume_claim> templates;
    boxed<volume_retention_policy> retention_policy; ///< absent: the claims are deleted with the set
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_claim_policy, (templates, retention_policy))

/// The requested Jobs and the conditions of their common end.
struct job_set_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_set_spec);

    std::vector<replicated_job> replicated_jobs;            ///< the Jobs, by entries of unique names
    boxed<kftrain::jobset::network> network;                ///< absent: the defaults of its fields
    boxed<kftrain::jobset::success_policy> success_policy;  ///< absent: all Jobs must succeed
    boxed<kftrain::jobset::failure_policy> failure_policy;  ///< absent: a failed Job fails the set
    boxed<kftrain::jobset::startup_policy> startup_policy;  ///< absent: any order
    std::optional<bool> suspend;                            ///< if true, the Jobs are suspended; absent means false
    boxed<kftrain::jobset::coordinator> coordinator;        ///< absent: none
    std::optional<std::string> managed_by;                  ///< absent: the JobSet controller
    std::optional<std::int32_t> ttl_seconds_after_finished; ///< until a finished set is deleted; absent: it stays
    std::vector<volume_claim_policy> volume_claim_policies; ///< claims that the set creates
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_set_spec, {.member = "replicated_jobs", .merge_key = "name"})
KFTRAIN_DESCRIBE(job_set_spec, (replicated_jobs, network, success_policy, failure_policy, startup_policy, suspend,
                                coordinator, managed_by, ttl_seconds_after_finished, volume_claim_policies))

/// Counts of the Jobs of one entry.
struct replicated_job_status {
    replicated_job_status() = default;

    std::string name;                       ///< name of the entry
    std::int32_t ready = 0;                 ///< unfinished Jobs whose ready and succeeded pods are as many as requested
    std::int32_t succeeded = 0;             ///< Jobs that completed
    std::int32_t failed = 0;                ///< Jobs that failed
    std::int32_t active = 0;                ///< unfinished Jobs with at least one active pod
    std::int32_t suspended = 0;             ///< Jobs that are suspended
    std::vector<std::int32_t> job_restarts; ///< restarts of single Jobs, by index
    std::vector<std::int32_t> job_restarts_count_towards_max; ///< those that count towards the limit
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(replicated_job_status, "name", "ready", "succeeded", "failed", "active", "suspended")
KFTRAIN_DESCRIBE(replicated_job_status,
                 (name, ready, succeeded, failed, active, suspended, job_restarts, job_restarts_count_towards_max))

/// The observed state of a set.
struct job_set_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_set_status);

    /// Completed, Failed, Suspended, StartupPolicyInProgress or StartupPolicyCompleted, at most one of each type.
    std::vector<meta::condition> conditions;
    std::int32_t restarts = 0;                                     ///< how often all Jobs were created again
    std::int32_t restarts_count_towards_max = 0;                   ///< those that count towards `max_restarts`
    std::string terminal_state;                                    ///< Completed or Failed; empty until the set ends
    std::vector<replicated_job_status> replicated_jobs_status;     ///< counts, by name of the entry
    std::optional<std::int32_t> previous_in_place_restart_attempt; ///< last finished restart in place; absent: none
    std::optional<std::int32_t> current_in_place_restart_attempt;  ///< restart in place under way; absent: none
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_set_status, {.member = "conditions", .merge_key = "type"},
                    {.member = "replicated_jobs_status", .merge_key = "name"})
KFTRAIN_DESCRIBE(job_set_status,
                 (conditions, restarts, restarts_count_towards_max, terminal_state, replicated_jobs_status,
                  previous_in_place_restart_attempt, current_in_place_restart_attempt))

/** A set of Jobs.
    @par Upstream kubernetes-sigs/jobset v0.12.0 `api/jobset/v1alpha2/jobset_types.go` */
struct job_set {
    job_set() = default;

    static constexpr resource_info resource{"jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets"};

    object_meta metadata;  ///< the name prefixes the names of the Jobs
    job_set_spec spec;     ///< desired state
    job_set_status status; ///< observed state, written by the controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(job_set, (metadata, spec, status))

} // namespace kftrain::jobset

#endif
