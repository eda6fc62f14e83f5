#ifndef KFTRAIN_JOB_RULES_HPP
#define KFTRAIN_JOB_RULES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/operator_flag.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/job/topology.hpp>
#include <kftrain/model/resource.hpp>

#include <concepts>
#include <span>

namespace kftrain {

/// Where a job stands, for callers that do not care about its kind.
enum class job_phase { created, running, restarting, suspended, succeeded, failed };

/// `Created`, `Running`, ... as in the condition types.
std::string_view to_string(job_phase) noexcept;

/// Succeeded or failed: a job does not leave these.
constexpr bool is_finished(job_phase p) noexcept { return p == job_phase::succeeded || p == job_phase::failed; }

/// A column that `kubectl get` shows for a kind, as its CRD declares it; `path` is in the JSONPath of CRDs.
struct printed_column {
    constexpr printed_column() = default;
    constexpr printed_column(std::string_view n, std::string_view t, std::string_view p) : name(n), type(t), path(p) {}

    std::string_view name;
    std::string_view type; ///< string, integer or date
    std::string_view path;
};

/** The contract that a job kind fulfils, by a specialisation in its header. All of it is pure: no clock, no I/O.

    | member | does |
    |---|---|
    | `set_defaults(K&)` | fills what the user left out; idempotent |
    | `validate(K const&, issues&)` | appends every violated admission rule; works on the job as submitted, before defaults |
    | `validate_update(K const& before, K const&, issues&)` | the same for an update of a stored job |
    | `lint(K const&, issues&)` | appends what admission accepts and is hardly meant; works on the job as submitted |
    | `lint_rules()` | id, severity and reason of the rules that only lint() of this kind knows |
    | `lay_out(K const&)` | replicas, ranks, addresses; of a valid job with defaults |
    | `render(K const&, operator_options const&)` | every child of a valid job with defaults, in creation order |
    | `render_pod(K const&, topology const&, replica const&, operator_options const&)` | the pod of one replica, as render() makes it |
    | `make_plan(K const&, observed const&, time_point now, operator_options const&)` | what to do now; sets defaults itself |
    | `conditions(K const&)` | the job's conditions, oldest first, in the form of the v1 kinds |
    | `phase(K const&)` | where the job stands; succeeded and failed are final |
    | `columns` | what `kubectl get` prints, as in the kind's CRD |
    | `operator_name` | how the operator of the kind calls itself in events |
    | `admission_name` | name of the webhook that validates the kind |
    | `child_types(operator_options const&)` | types of children that an operator told this has to watch |
    | `operator_flags()` | the flags of upstream's operator that tell the rules of this kind something |
    | `schema()` | the schema of the kind's CRD, in the form of resource_schema::parse() |

    Kinds whose replicas each become a pod and a service derive from `replica_job_rules<K>` (job/replica_job.hpp) and
    write only what is their own. */
template <class K> struct job_rules;

/// A type of job whose job_rules are complete.
template <class K>
concept training_job = resource<K> && requires(K& job, K const& c, issues& found, observed const& world, time_point now,
                                               operator_options const& options) {
    job_rules<K>::set_defaults(job);
    job_rules<K>::validate(c, found);
    job_rules<K>::validate_update(c, c, found);
    job_rules<K>::lint(c, found);
    { job_rules<K>::lint_rules() } -> std::convertible_to<std::span<lint_rule const>>;
    { job_rules<K>::lay_out(c) } -> std::same_as<topology>;
    { job_rules<K>::render(c, options) } -> std::same_as<std::vector<child>>;
    { job_rules<K>::render_pod(c, topology(), replica(), options) } -> std::same_as<pod>;
    { job_rules<K>::make_plan(c, world, now, options) } -> std::same_as<plan>;
    { job_rules<K>::columns } -> std::convertible_to<std::span<printed_column const>>;
    { job_rules<K>::operator_name } -> std::convertible_to<std::string_view>;
    { job_rules<K>::admission_name } -> std::convertible_to<std::string_view>;
    { job_rules<K>::child_types(options) } -> std::same_as<std::vector<child_type>>;
    { job_rules<K>::conditions(c) } -> std::same_as<std::vector<job_condition>>;
    { job_rules<K>::phase(c) } -> std::same_as<job_phase>;
    { job_rules<K>::operator_flags() } -> std::convertible_to<std::span<operator_flag const>>;
    { job_rules<K>::schema() } -> std::same_as<std::string_view>;
};

/// The phase told by a list of conditions.
job_phase phase_of(std::span<job_condition const> conditions) noexcept;

} // namespace kftrain

#endif
