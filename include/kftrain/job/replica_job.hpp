#ifndef KFTRAIN_JOB_REPLICA_JOB_HPP
#define KFTRAIN_JOB_REPLICA_JOB_HPP

#include <kftrain/job/rules.hpp>
#include <kftrain/job/status.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/job.hpp>

#include <array>
#include <span>
#include <string_view>

namespace kftrain {

/// What a kind makes of `spec.runPolicy.managedBy`.
enum class manager_rule : std::uint8_t {
    ignored,  ///< neither checked nor obeyed
    checked,  ///< admission knows the values; jobs of another manager are left alone
    immutable ///< the same, and an update cannot change it
};

/** What all operators of the family can be told.
    @par Upstream training-operator v1.9.0, its flags of the same names */
struct training_operator_options {
    training_operator_options() = default;

    /// Empty or `None`: pods are scheduled one by one. `volcano`: jobs get PodGroups of Volcano. Any other name: jobs get
    /// PodGroups of the scheduler plugins, and their pods name this scheduler.
    std::string gang_scheduler_name;
};

/** Constants of a kind of the replica family.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/<kind>_types.go` */
struct replica_constants {
    constexpr replica_constants() = default;

    std::string_view controller; ///< the operator-name label, e.g. `pytorchjob-controller`
    std::string_view container;  ///< name of the container that trains
    std::string_view port_name;  ///< its default port
    std::int32_t port = 0;
    std::string_view default_restart_policy; ///< of a replica spec that names none
    std::string_view specs_field;            ///< JSON name of the replica map
    std::span<std::string_view const> types; ///< replica types in canonical order
    manager_rule manager = manager_rule::checked;
};

/** A job of the replica family as the shared rules see it: every replica of every type becomes one pod and one headless
    service. A kind derives from it and adds what is its own. Refers to the job: it must not outlive it. */
class replica_job {
public:
    virtual ~replica_job() = default;

    /// More replicas of a job are refused: a slip of the keyboard must not cost all memory.
    static constexpr std::int64_t max_replicas = 100'000;

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
    /// The port named like the kind's in the training container of a type; absent if there is none.
    std::optional<std::int32_t> port_of(std::string_view type) const noexcept;

    /// Rules about the spec beyond those of the family and of its replica map; asked before the latter.
    virtual void validate_spec(issues&) const {}
    /// Rules about one entry of the replica map beyond those of the family.
    virtual void validate_replica(std::string_view, replica_spec const&, issues&) const {}
    /// Lint rules beyond those of the family; of the job with defaults.
    virtual void lint(issues&) const {}
    /// Whether training goes on with fewer replicas than the job has.
    virtual bool is_elastic() const noexcept { return false; }
    /// Ranks of the framework; by default none are known before run time.
    virtual void assign_ranks(topology&) const {}
    /// Whether the replica bears the label `job-role: master`.
    virtual bool is_master(replica const&) const = 0;
    /// What a container of the pod gets in its environment, in order; nothing for one that the kind leaves alone.
    virtual std::vector<env_var> environment(topology const&, replica const&, container const&) const = 0;
    /// Containers that are appended to the init containers of the pod.
    virtual std::vector<container> init_containers(replica const&, operator_options const&) const { return {}; }
    /// Objects beyond PodGroup, pods and services, in creation order, before all of these.
    virtual std::vector<child> own_children() const { return {}; }
    /// Appends what has to be done about those objects, before anything else is looked at. Their types must be among the
    /// kind's `child_types()`.
    virtual void reconcile_own(observed const&, std::vector<action>&) const {}
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
};

/** Defaults of policy and replicas that all kinds share; idempotent.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/defaulting_utils.go` */
void set_replica_defaults(run_policy&, replica_spec_map&, replica_constants const&);
/** Appends what admission refuses; `before` is the stored job when this is an update of it, else null.
    @par Upstream training-operator v1.9.0 `pkg/webhooks/`, what its kinds share */
void validate_replicas(replica_job const&, replica_job const* before, issues&);
/// Appends what replica_lint_rules() find. Looks at the job as written and at the same job with defaults.
void lint_replicas(replica_job const& written, replica_job const& complete, issues&);
/// Replicas by type and index, with names and the kind's ranks; of a valid job with defaults.
topology lay_out(replica_job const&);
/// The pod of one replica, as the operator creates it.
/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/pod.go`, `createNewPod`
pod render_pod(replica_job const&, topology const&, replica const&, operator_options const&);
/// All children in the order of their creation: the kind's own, PodGroup, then pods and services of each type.
std::vector<child> render(replica_job const&, operator_options const&);
/** What the operator does now.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/job.go`, `ReconcileJobs` */
plan make_plan(replica_job const&, observed const&, time_point now, operator_options const&);
/** What the operator of a kind has to watch; `selector` is that of the pods and services of the kind. Rules see these in part
    only: without annotations, finalizers and managed fields; of a pod's spec there are node, host name and subdomain, of its
    status phase, message, reason, address, conditions, and of containers name, state, readiness and restarts; of a service's
    spec the selector. Rules that look at more name `object_type_of<pod>` in `child_types()` of their own. */
std::vector<child_type> child_types(std::string_view selector, operator_options const&);

/** Base of `job_rules<K>` for a kind of the family. `K` needs `spec.run_policy` and `status`; the specialisation adds
    `operator_name`, `admission_name`, `child_selector` (label selector of pods and services), `set_defaults`
    and a nested class `view`, derived from replica_job and made from `K const&`. */
template <class K> struct replica_job_rules {
    static constexpr std::array<printed_column, 2> columns{
        {{"State", "string", ".status.conditions[-1:].type"}, {"Age", "date", ".metadata.creationTimestamp"}}};

    static std::vector<child_type> child_types(operator_options const& options) {
        return kftrain::child_types(job_rules<K>::child_selector, options);
    }
    static void validate(K const& job, issues& found) {
        typename job_rules<K>::view const view(job);
        validate_replicas(view, nullptr, found);
    }
    static void validate_update(K const& before, K const& job, issues& found) {
        typename job_rules<K>::view const stored(before);
        typename job_rules<K>::view const view(job);
        validate_replicas(view, &stored, found);
    }
    static topology lay_out(K const& job) {
        typename job_rules<K>::view const view(job);
        return kftrain::lay_out(view);
    }
    static std::vector<child> render(K const& job, operator_options const& options) {
        typename job_rules<K>::view const view(job);
        return kftrain::render(view, options);
    }
    static pod render_pod(K const& job, topology const& layout, replica const& r, operator_options const& options) {
        typename job_rules<K>::view const view(job);
        return kftrain::render_pod(view, layout, r, options);
    }
    static void lint(K const& job, issues& found) {
        K defaulted = job;
        job_rules<K>::set_defaults(defaulted);
        typename job_rules<K>::view const written(job);
        typename job_rules<K>::view const complete(defaulted);
        lint_replicas(written, complete, found);
        complete.lint(found);
    }
    static std::span<lint_rule const> lint_rules() { return {}; }
    static std::span<operator_flag const> operator_flags() noexcept { return {}; }
    static plan make_plan(K const& job, observed const& world, time_point now, operator_options const& options) {
        K defaulted = job;
        job_rules<K>::set_defaults(defaulted);
        typename job_rules<K>::view const view(defaulted);
        return kftrain::make_plan(view, world, now, options);
    }
    static std::vector<job_condition> conditions(K const& job) { return job.status.conditions; }
    static job_phase phase(K const& job) { return phase_of(job.status.conditions); }
};

} // namespace kftrain

#endif
