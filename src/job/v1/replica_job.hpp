#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_JOB_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_JOB_HPP

#include "job/v1/observed.hpp"
#include "job/v1/status.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/v1/job_types.hpp>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kftrain::kubeflow_v1 {

/// How a kind treats `spec.runPolicy.managedBy`.
enum class manager_rule : std::uint8_t {
    ignored,  ///< neither checked nor obeyed
    checked,  ///< admission knows the values; jobs of another manager are left alone
    immutable ///< the same, and an update cannot change it
};

/// The release of training-operator whose behaviour the shared rules reproduce.
enum class operator_release : std::uint8_t {
    /** No exit code fails a job for good, a suspended job that has finished is deleted after its time to live, queues
        of PodGroups have no default and follow the job, and the reasons of two warnings begin with `Setted`. */
    v1_7_0,
    v1_9_0
};

/// The value of `managedBy` that names the operator itself.
inline constexpr std::string_view own_manager = "kubeflow.org/training-operator";

/// The columns of `kubectl get` for most kinds of the family.
inline constexpr std::array<rules::printed_column, 2> family_columns{
    {{"State", "string", ".status.conditions[-1:].type"}, {"Age", "date", ".metadata.creationTimestamp"}}};

/** Constants of a kind of the replica family.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/<kind>_types.go` */
struct replica_constants {
    /// The operator-name label, e.g. `pytorchjob-controller`; also the source of events.
    std::string_view controller{};
    std::string_view container{}; ///< name of the container that trains
    /// The operator prepares the first container for training, whatever its name.
    bool trains_in_first = false;
    std::string_view port_name{}; ///< its default port
    std::int32_t port = 0;
    std::string_view default_restart_policy{}; ///< of a replica spec that names none
    std::string_view specs_field{};            ///< JSON name of the replica map
    std::span<std::string_view const> types{}; ///< replica types in canonical order
    std::string_view admission_name{};         ///< of its webhook; empty: there is none
    std::string_view launcher{};               ///< the type whose program starts all others; empty: there is none
    std::span<rules::printed_column const> columns = family_columns; ///< of `kubectl get`
    manager_rule manager = manager_rule::checked;
    /// The reason of the event for the deletion of the job after its time to live.
    std::string_view deleted_reason = "SuccessfulDeletePod";
    bool any_type = false;         ///< types that the kind does not know are admitted, and their replicas get pods
    bool quotes_container = false; ///< admission quotes the name of the container that it misses
    bool ends_by_any_pod = false;  ///< a pod that fails ends the job, unless its restart policy is ExitCode
    bool own_members = false;      ///< its members are no pods with a service each: see reconcile_members()
    bool keeps_finalizers = true;  ///< pods get the finalizers of their template
    bool dates_all_ends = false;   ///< a job that failed for good by an exit code has a completion time, too
    operator_release release = operator_release::v1_9_0;
    /// Jobs with more replicas are refused, so that a typing mistake does not cost all memory. If each pod lists all
    /// others, the size of the rendered job grows with the square.
    std::int64_t max_replicas = 100'000;
};

/// For kinds whose operator has no options of its own.
struct no_operator_options {
    no_operator_options() = default;
};

struct gang_scheduler;

/** A job of the replica family: every replica of every type becomes one pod and one headless service. A kind derives
    from it and adds its own rules. Refers to the job, which must outlive it. */
class replica_job {
public:
    virtual ~replica_job() = default;

    // For kinds that have none of their own, see replica_rules_of.
    static std::span<lint_rule const> lint_rules() noexcept { return {}; }
    static std::span<operator_flag const> flags() noexcept { return {}; }
    /// Adds rows for objects other than pods, services and PodGroups.
    static void add_own_rows(std::vector<rules::watched>&) {}

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
    /// The sum of the replicas of all types; an absent number counts 1, its default.
    std::int64_t total_replicas() const noexcept;
    /// The largest number of containers in a pod, init containers included.
    std::int64_t most_containers() const noexcept;
    /// The number of members; 0 if a number of replicas is negative.
    std::int64_t members() const noexcept;
    /// Name of the pod of a replica, and of its service.
    std::string name_of(std::string_view type, std::int32_t index) const;
    /// The port named like the kind's in the training container of a type; absent if there is none.
    std::optional<std::int32_t> port_of(std::string_view type) const;

    /// Appends all faults of the job. The default is validate_replicas(), which calls the next three functions.
    virtual void find_faults(replica_job const* before, issues&) const;
    /// The plan for an invalid job that a server stored: an event that explains why the operator ignores it.
    virtual rules::plan plan_of_invalid(issues const&) const;
    /// Checks the spec beyond the rules of the family and of its replica map; called before the latter.
    virtual void validate_spec(issues&) const {}
    /// Checks one entry of the replica map beyond the rules of the family.
    virtual void validate_replica(std::string_view, replica_spec const&, issues&) const {}
    /// Checks the replica map as a whole; called after its entries. A fault of an empty map replaces that of the
    /// family.
    virtual void validate_map(issues&) const {}
    /// Adds lint findings beyond those of the family; for the job with defaults.
    virtual void lint(issues&) const {}
    /// The number of member names in the environments of all containers; for a job within the limit of replicas.
    virtual std::int64_t names_in_environments() const noexcept { return 0; }
    /// The minimum number of characters around each of these names.
    virtual std::int64_t characters_around_name() const noexcept { return 1; }
    /// Whether training continues with fewer replicas than the job has.
    virtual bool is_elastic() const noexcept { return false; }
    /// The range of workers of a running elastic job, and the effect of a change; absent for other jobs.
    virtual std::optional<rules::scale_place> elastic_place() const { return std::nullopt; }
    /// Assigns the ranks of the framework. By default none are known before run time.
    virtual void assign_ranks(membership&) const {}
    /// Whether pods of the type have their index in the name and in a label; a type without has one pod.
    virtual bool has_index(std::string_view) const noexcept { return true; }
    /// Whether the replica has the label `job-role: master`.
    virtual bool is_master(member const&) const = 0;
    /// The variables that the operator adds to a container, in order; none for a container that the kind does not
    /// change.
    virtual std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const = 0;
    /// Init containers that the operator appends to those of the pod.
    virtual std::vector<core::container> init_containers(member const&) const { return {}; }
    /// Makes further changes to the pod of a replica.
    virtual void complete(pod&, member const&) const {}
    /// Objects beyond PodGroup, pods and services, in creation order, before all of these.
    virtual std::vector<any_object> own_children() const { return {}; }
    /// Plans the changes to those objects, before everything else. The kind adds rows for their types.
    virtual void reconcile_own(observed const&, rules::plan_writer&) const {}
    /// Appends the children after the PodGroup in creation order: by default the pods and services of each type.
    virtual void render_members(membership const&, gang_scheduler const&, std::vector<any_object>&) const;
    /** For kinds with own_members: plans the changes to them, and counts them into the status. False: an object is in
        the way, so the pass ends and no status is written. */
    virtual bool reconcile_members(prepared_job const&, observed const&, gang_scheduler const&, status_editor&,
                                   rules::plan_writer&) const {
        return true;
    }
    /// Sets the conditions from the counts in `editor.status().replica_statuses`, type by type. Upstream writes a
    /// type's pod selector into the status while it examines the type; call note_selector() for that.
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
/** Sets the defaults of policy and replicas that all kinds share; idempotent. The keys of the types in `spelled` are
    corrected if their case is wrong.
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
/// Adds the limits of kftrain for every kind of the family, and the checks of the server of the namespace; a part of
/// the above.
void validate_bounds(replica_job const&, issues&);
/// Replicas by type and index, with names and the kind's ranks; of a valid job with defaults.
membership lay_out(replica_job const&);

} // namespace kftrain::kubeflow_v1

#endif
