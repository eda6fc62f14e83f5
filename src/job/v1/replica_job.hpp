#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_JOB_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_JOB_HPP

#include "job/v1/observed.hpp"
#include "job/v1/status.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/v1/job_types.hpp>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kftrain::kubeflow_v1 {

/// What a kind makes of `spec.runPolicy.managedBy`.
enum class manager_rule : std::uint8_t {
    ignored,  ///< neither checked nor obeyed
    checked,  ///< admission knows the values; jobs of another manager are left alone
    immutable ///< the same, and an update cannot change it
};

/// The release of training-operator whose behaviour the shared rules reproduce.
enum class operator_release : std::uint8_t {
    /** No exit code fails a job for good, a suspended job that has finished is deleted after its time to live, queues of
        PodGroups have no default and follow the job, and the reasons of two warnings begin with `Setted`. */
    v1_7_0,
    v1_9_0
};

/** Constants of a kind of the replica family.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/<kind>_types.go` */
struct replica_constants {
    constexpr replica_constants() = default;

    /// The operator-name label, e.g. `pytorchjob-controller`; so it calls itself in events, too.
    std::string_view controller;
    std::string_view container; ///< name of the container that trains
    std::string_view port_name; ///< its default port
    std::int32_t port = 0;
    std::string_view default_restart_policy; ///< of a replica spec that names none
    std::string_view specs_field;            ///< JSON name of the replica map
    std::span<std::string_view const> types; ///< replica types in canonical order
    manager_rule manager = manager_rule::checked;
    /// Of the event that tells that the job was deleted after its time to live.
    std::string_view deleted_reason = "SuccessfulDeletePod";
    bool any_type = false;         ///< types that the kind does not know are admitted, and their replicas get pods
    bool quotes_container = false; ///< admission quotes the name of the container that it misses
    bool ends_by_any_pod = false;  ///< a pod that fails ends the job, unless its restart policy is ExitCode
    bool own_members = false;      ///< its members are no pods with a service each: see reconcile_members()
    bool keeps_finalizers = true;  ///< pods get the finalizers of their template
    bool dates_all_ends = false;   ///< a job that failed for good by an exit code has a completion time, too
    operator_release release = operator_release::v1_9_0;
    /// More replicas of a job are refused: a slip of the keyboard must not cost all memory. Where each pod is told of all others,
    /// what a job becomes grows by the square.
    std::int64_t max_replicas = 100'000;
};

/// For kinds whose operator has no options of its own.
struct no_operator_options {
    no_operator_options() = default;
};

struct gang_scheduler;

/** A job of the replica family as the shared rules see it: every replica of every type becomes one pod and one headless
    service. A kind derives from it and adds what is its own. Refers to the job: it must not outlive it. */
class replica_job {
public:
    virtual ~replica_job() = default;

    resource_info const& resource;
    object_meta const& metadata;
    run_policy const& policy;
    replica_spec_map const& specs;
    job_status const& status;
    replica_constants const& constants;

    /// The spec of a type, or null.
    replica_spec const* spec_of(std::string_view type) const noexcept;
    /// The types of the job: the known ones in canonical order, then any other.
    std::vector<std::string_view> types() const;
    /// All replicas over all types; absent counts as written by the defaults, 1.
    std::int64_t total_replicas() const noexcept;
    /// Containers of the pod that has most, init containers included.
    std::int64_t most_containers() const noexcept;
    /// Those that become members: where a number is negative there are none.
    std::int64_t members() const noexcept;
    /// Name of the pod of a replica, and of its service.
    std::string name_of(std::string_view type, std::int32_t index) const;
    /// The port named like the kind's in the training container of a type; absent if there is none.
    std::optional<std::int32_t> port_of(std::string_view type) const;

    /// Appends all that the kind refuses, by default by validate_replicas(), which asks the next three.
    virtual void find_faults(replica_job const* before, issues&) const;
    /// What its operator does about a job that is stored all the same: it tells why it does nothing.
    virtual rules::plan plan_of_invalid(issues const&) const;
    /// Rules about the spec beyond those of the family and of its replica map; asked before the latter.
    virtual void validate_spec(issues&) const {}
    /// Rules about one entry of the replica map beyond those of the family.
    virtual void validate_replica(std::string_view, replica_spec const&, issues&) const {}
    /// Rules about the replica map as a whole; asked behind its entries. What it finds of an empty map stands for the family's
    /// own rule.
    virtual void validate_map(issues&) const {}
    /// Lint rules beyond those of the family; of the job with defaults.
    virtual void lint(issues&) const {}
    /// How many names of members the environments of all containers hold; of a job within the limit of replicas.
    virtual std::int64_t names_in_environments() const noexcept { return 0; }
    /// How many characters stand around each of these names, at least.
    virtual std::int64_t characters_around_name() const noexcept { return 1; }
    /// Whether training goes on with fewer replicas than the job has.
    virtual bool is_elastic() const noexcept { return false; }
    /// How many workers an elastic job may have while it runs, and what a change does; absent for others.
    virtual std::optional<rules::scale_place> elastic_place() const { return std::nullopt; }
    /// Ranks of the framework; by default none are known before run time.
    virtual void assign_ranks(membership&) const {}
    /// Whether pods of the type bear their index in their name and as a label; a type without has one pod.
    virtual bool has_index(std::string_view) const noexcept { return true; }
    /// Whether the replica bears the label `job-role: master`.
    virtual bool is_master(member const&) const = 0;
    /// What a container of the pod gets in its environment, in order; nothing for one that the kind leaves alone.
    virtual std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const = 0;
    /// Containers that are appended to the init containers of the pod.
    virtual std::vector<core::container> init_containers(member const&) const { return {}; }
    /// What else the kind changes in the pod of a replica.
    virtual void complete(pod&, member const&) const {}
    /// Objects beyond PodGroup, pods and services, in creation order, before all of these.
    virtual std::vector<any_object> own_children() const { return {}; }
    /// Writes what has to be done about those objects, before anything else is looked at. Of their types the kind adds rows.
    virtual void reconcile_own(observed const&, rules::plan_writer&) const {}
    /// Appends what follows the PodGroup, in creation order: by default pods and services of each type.
    virtual void render_members(membership const&, gang_scheduler const&, std::vector<any_object>&) const;
    /** Of kinds with members of their own: writes what has to be done about them, and counts them into the status. False:
        something is in the way; the pass ends there, and no status is written. */
    virtual bool reconcile_members(observed const&, gang_scheduler const&, status_editor&, rules::plan_writer&) const {
        return true;
    }
    /// Decides the conditions from the counts in `editor.status().replica_statuses`, type by type; upstream writes a
    /// type's pod selector into the status while it looks at the type, so that is done here too, by note_selector().
    virtual void judge(status_editor& editor) const = 0;

    /// Writes the selector of a type's pods into its counts.
    void note_selector(job_status&, std::string_view type) const;
    /// `spec.<map>[<type>]`, as the server spells it.
    std::string path_of(std::string_view type) const;

protected:
    template <class K>
    replica_job(K const& job, replica_spec_map const& replicas, replica_constants const& c) noexcept
        : resource(K::resource),
          metadata(job.metadata),
          policy(job.spec.run_policy),
          specs(replicas),
          status(job.status),
          constants(c) {}
    replica_job(replica_job const&) = default;

private:
    std::optional<std::int32_t> find_port(std::string_view type) const;

    /// Looked for once, because each container of a pod gets it.
    mutable std::map<std::string, std::optional<std::int32_t>, std::less<>> ports_;
};

/** The name of a replica's pod and service: `<job>-<type in lower case>-<index>`.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/util.go`, `GenGeneralName` */
std::string replica_name(std::string_view job, std::string_view type, std::int32_t index);
/** Compiles the schema of a kind; it may refer to `replica_job_schema.json`, the parts that the kinds share. Throws
    kftrain::error if the text is no schema that kftrain can check. */
resource_schema compile_schema(std::string_view text);
/** The flags that all kinds of the family share.
    @par Upstream training-operator v1.9.0 `cmd/training-operator.v1/main.go` */
std::span<operator_flag const> family_flags() noexcept;
/** Defaults of policy and replicas that all kinds share; idempotent. `spelled` are the types whose keys are put right when their
    case is wrong.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/defaulting_utils.go` */
void set_replica_defaults(run_policy&, replica_spec_map&, replica_constants const&,
                          std::span<std::string_view const> spelled);
inline void set_replica_defaults(run_policy& policy, replica_spec_map& specs, replica_constants const& c) {
    set_replica_defaults(policy, specs, c, c.types);
}
/** One bound of an elastic policy stands for both; without any the workers of the job are the bounds.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/{pytorch_defaults,paddlepaddle_defautls}.go` */
void set_elastic_bounds(std::optional<std::int32_t>& min, std::optional<std::int32_t>& max, replica_spec_map const&);
/** Appends what admission refuses; `before` is the stored job when this is an update of it, else null.
    @par Upstream training-operator v1.9.0 `pkg/webhooks/`, what its kinds share */
void validate_replicas(replica_job const&, replica_job const* before, issues&);
/// What kftrain itself refuses of every kind of the family, and what the server of the namespace would; a part of the above.
void validate_bounds(replica_job const&, issues&);
/// Replicas by type and index, with names and the kind's ranks; of a valid job with defaults.
membership lay_out(replica_job const&);
/// Workers of jobs that are elastic, or were not begun yet, or are suspended: others have told their pods how many they are.
rules::scaling scaling_of(replica_job const&);
rules::suspending suspending_of(replica_job const&);
/** By a merge patch, as the next. @par Errors `errc::invalid_argument`, see rules::job_rules
    @param stored the same job without defaults, whose map may spell the type in another case */
result<rules::action> scaled(replica_job const&, replica_job const& stored, std::string_view type,
                             std::int32_t replicas);
result<rules::action> suspended(replica_job const&, bool on);

} // namespace kftrain::kubeflow_v1

#endif
