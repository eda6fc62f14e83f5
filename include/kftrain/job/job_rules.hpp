#ifndef KFTRAIN_JOB_JOB_RULES_HPP
#define KFTRAIN_JOB_JOB_RULES_HPP

/** @file The rules of a job kind: those of its controller, and those that clients, servers and tools need. */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/admission.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/job/injected_file.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/job_policies.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/operator_flag.hpp>
#include <kftrain/job/scaling.hpp>
#include <kftrain/model/schema.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {
class prepared_job;
}

namespace kftrain::rules {

/// A column that `kubectl get` prints for a kind, as its CRD declares it; `path` is in the JSONPath of CRDs.
struct printed_column {
    constexpr printed_column() = default;
    constexpr printed_column(std::string_view n, std::string_view t, std::string_view p, std::int32_t o = 0)
        : name(n), type(t), path(p), priority(o) {}

    std::string_view name;     ///< header of the column, e.g. `State`
    std::string_view type;     ///< string, integer or date
    std::string_view path;     ///< JSONPath of the value, e.g. `.status.phase`
    std::int32_t priority = 0; ///< above 0: only with `-o wide`
};

/// A kind that is installed together with a job kind, such as its runtimes. Referenced data has static storage
/// duration.
struct companion {
    constexpr companion() = default;
    constexpr companion(object_type const& t, resource_schema const& (*s)()) : type(&t), schema(s) {}

    object_type const* type = nullptr;
    resource_schema const& (*schema)() = nullptr; ///< of its CRD
    std::span<printed_column const> columns;      ///< as the CRD declares them
    bool has_status = false;                      ///< the kind has a subresource `status`
    std::string_view admission_name;              ///< name of its validating webhook; empty: there is none
    /// Returns every rule that an object of the type violates; null without a webhook.
    issues (*validate)(void const* object) = nullptr;
    bool checks_updates = true; ///< the webhook validates updates, too
};

/// How an API server serves a kind, in addition to its schema. Referenced data has static storage duration.
struct resource_form {
    constexpr resource_form() = default;

    std::span<printed_column const> columns;       ///< as the CRD declares them, left to right
    std::span<std::string_view const> short_names; ///< e.g. `vcjob`
    std::span<std::string_view const> categories;  ///< groups of kinds that `kubectl get` accepts, e.g. `all`
    bool has_status = true;                        ///< the kind has a subresource `status`
    /// Name of the webhook for jobs of the kind; empty: there is no webhook, and the controller validates.
    std::string_view admission_name;
    std::span<companion const> companions; ///< further kinds of the same installation
    /// Returns the objects that an installation of the operator contains and that jobs may refer to; null: none.
    std::vector<any_object> const& (*installed_objects)() = nullptr;
};

/// When a job ran, by its status.
struct run_times {
    run_times() = default;

    std::optional<time_point> started;  ///< of the latest run
    std::optional<time_point> finished; ///< when the job ended
};

/// Facts about a kind and its operator that clients need. Referenced data has static storage duration.
struct kind_facts {
    constexpr kind_facts() = default;

    /// Ids of the rules of validate() that only new jobs must obey: the operator writes these fields itself.
    std::span<std::string_view const> creation_rules;
    /// The operator counts pods of the run before a suspension as replicas of the resumed job.
    bool counts_old_pods = false;
    /// The role whose program starts all others, when their pods exist; empty: there is none.
    std::string_view launcher;
    /// The name of the container whose end the operator takes for the end of a member. Empty: the first container of
    /// the pod. Absent: the operator treats all containers alike.
    std::optional<std::string_view> training_container;
    /// The value of `managedBy` that names the operator itself.
    std::string_view manager;
    /// Names of fields that the operator fills in with generated values.
    std::span<std::string_view const> generated_fields;
    /// Reasons of its events that mean that the server refused a request, in addition to `FailedCreate`.
    std::span<std::string_view const> refusal_reasons;
};

/** The rules of a job kind. Pure: no clock, no I/O. Write the rules as a struct and wrap it in job_rules_of. Jobs
    are passed as pointers to the struct of the kind, primary().model; this is not checked. Callers use prepared_job,
    which applies validation and defaults before the functions that need them.
    @par Thread safety Safe: nothing changes after construction. */
class job_rules : public controller_rules {
public:
    /// Prepares the job once, as prepared_job::stored() does, and plans with it. Kinds implement plan_for().
    plan make_plan(void const* job, world const&, std::shared_ptr<memory const> remembered, time_point now) const final;

    /// Returns rules of the same kind for an operator with these options.
    virtual std::shared_ptr<job_rules const> with(operator_options const&) const = 0;
    /// Returns the flags of the upstream operator that affect the rules.
    virtual std::span<operator_flag const> flags() const = 0;
    virtual resource_form const& form() const noexcept = 0;
    virtual kind_facts const& facts() const noexcept = 0;
    /// Returns the schema of the CRD; compiled once and kept as long as the program runs.
    virtual resource_schema const& schema() const = 0;

    /// Returns the objects besides the job that its rules read, such as its runtime; none for most kinds. Each one has
    /// a type and a name.
    virtual std::vector<reference> references(void const* job) const = 0;
    /** Keeps the object of one of references() in the job, for all other functions; an empty object if it does not
        exist. It is no field: it is neither encoded nor compared. Until then the functions return what they can without
        the object: validate() checks fewer rules, lay_out() returns a role without members, and render() nothing. */
    virtual void resolve(void* job, reference const& to, any_object found) const = 0;

    /// Sets the fields that the author left out. A second call changes nothing.
    virtual void set_defaults(void* job) const = 0;
    /// Returns every rule that a job as it is written violates, in a fixed order; `before` is the stored job for an
    /// update, otherwise null.
    virtual issues validate(void const* job, void const* before) const = 0;
    /// Returns the answer of the webhooks of the kind; for kinds without webhooks, the verdict of their controllers.
    /// The default is answer_of() on all issues.
    virtual admission_answer admit(void const* job, admission_context const&) const;
    /// Returns the lint rules of this kind alone, without those of its family.
    virtual std::span<lint_rule const> lint_rules() const noexcept = 0;

    /// Returns the conditions of its status, oldest first; kinds without conditions in their API express their phase as
    /// conditions.
    virtual std::vector<meta::condition> conditions(void const* job) const = 0;
    /// Returns the phase of the job according to its status.
    virtual job_phase phase(void const* job) const = 0;
    /// Returns when the job ran, as far as its status has times of its own.
    virtual run_times times(void const* job) const = 0;

protected:
    friend class kftrain::prepared_job;

    /// Returns likely mistakes that admission accepts, by the rules of the family and those of lint_rules(). `complete`
    /// is the written job with defaults; the job need not be valid.
    virtual issues lint(void const* written, void const* complete) const = 0;
    /// Returns the members of a valid job with defaults. The next three functions take such a job, too.
    virtual membership lay_out(void const* job) const = 0;
    /// Returns every object that the operator creates, in creation order, without the content from recipes.
    virtual std::vector<any_object> render(void const* job) const = 0;
    /// Returns the pod of a member of lay_out(); without a name if the name is not known beforehand.
    virtual core::pod render_pod(void const* job, membership const&, member const&) const = 0;
    /** Returns the files that init containers of the operator write for the main containers of a member and that no
        mounted object contains; none for most kinds. `source` names the writer. */
    virtual std::vector<injected_file> written_files(void const* job, membership const&, member const&) const = 0;
    /// Returns how the job may currently be scaled. This and the next three functions take a job with defaults, which
    /// need not be valid.
    virtual rules::scaling scaling(void const* job) const = 0;
    /// Returns whether the job is suspended and whether that may be changed.
    virtual rules::suspending suspending(void const* job) const = 0;
    /// Returns the gang settings; absent if the job has none.
    virtual std::optional<gang_settings> gang(void const* job) const = 0;
    virtual job_policies policies(void const* job) const = 0;
    /** Returns the write that sets the number of members of a role; `complete` is the stored job with defaults.
        @par Errors `errc::invalid_argument` if scaling() does not allow it; the path names the role */
    [[nodiscard]] virtual result<job_write> scaled(void const* stored, void const* complete, std::string_view role,
                                                   std::int32_t members) const = 0;
    /// Returns the write that suspends or resumes a stored job.
    /// @par Errors `errc::invalid_argument` if that is impossible
    [[nodiscard]] virtual result<job_write> suspended(void const* stored, bool on) const = 0;
    /// Returns the plan of the operator; `prepared` is the same job, by these rules, and lives as long as the call.
    virtual plan plan_for(void const* job, prepared_job const& prepared, world const&,
                          std::shared_ptr<memory const> remembered, time_point now) const = 0;
};

/// The input of a plan for a job.
template <resource K> struct job_look : look<K> {
    job_look(prepared_job const& p, K const& o, rules::world const& w, std::shared_ptr<memory const> m, time_point t)
        : look<K>(o, w, std::move(m), t), job(p) {}

    prepared_job const& job; ///< the primary object with its faults, defaults and layout
};

/// Returns the policies of a job of an API with `spec.runPolicy` or `spec.managedBy`.
template <class Job> job_policies policies_of(Job const& job) {
    job_policies p;
    if constexpr (requires { job.spec.run_policy.clean_pod_policy; })
        p.clean_up = job.spec.run_policy.clean_pod_policy.value_or(std::string());
    if constexpr (requires { job.spec.run_policy.managed_by; })
        p.manager = job.spec.run_policy.managed_by.value_or(std::string());
    else if constexpr (requires { job.spec.managed_by; })
        p.manager = job.spec.managed_by.value_or(std::string());
    p.has_backoff_limit = requires { job.spec.run_policy.backoff_limit; };
    return p;
}

/** Rules of a struct with the members that controller_of requires, where make_plan() may take a `job_look<object>`,
    and:

    | member | purpose |
    |---|---|
    | `explicit Rules(operator_options const&)` | rules for these options |
    | `static flags()`, `lint_rules()` | spans with static storage duration |
    | `static form()`, `static schema()` | references with static storage duration |
    | `set_defaults(object&) const` | |
    | `validate(object const&, object const* before, issues&) const` | appends issues |
    | `lint(object const& written, object const& complete, issues&) const` | appends issues |
    | `references(object const&)`, `resolve(object&, reference const&, any_object)` | optional; default: none |
    | `admit(object const&, admission_context const&) const` | optional; default: answer_of() on all issues |
    | `written_files(object const&, membership const&, member const&) const` | optional; default: none |
    | `static facts()` | optional: a reference with static storage duration |
    | `gang(object const&) const` | optional; default: none |
    | `policies(object const&) const` | optional; default: policies_of() |
    | `times(object const&) const` | optional; default: `status.start_time`, `status.completion_time` if they exist |
    | `lay_out`, `render`, `render_pod`, `conditions`, `phase` | as job_rules, of an `object const&` |
    | `scaling`, `suspending` | likewise |
    | `scaled(object const& stored, std::string_view role, std::int32_t members)` | as job_rules |
    | `suspended(object const& stored, bool on)` | as job_rules |

    The library finds a kind by a function next to its struct, by argument-dependent lookup: `rules::job_rules const&
    kftrain_job_rules(type_tag<K>) noexcept`. */
template <class Rules> class job_rules_of final : public controller_part<Rules, job_rules> {
    using base = controller_part<Rules, job_rules>;
    using object = typename Rules::object;

    static object const& of(void const* job) { return *static_cast<object const*>(job); }

public:
    explicit job_rules_of(operator_options const& options = operator_options()) : base(std::in_place, options) {}

    std::shared_ptr<job_rules const> with(operator_options const& options) const override {
        return std::make_shared<job_rules_of const>(options);
    }
    std::span<operator_flag const> flags() const override { return Rules::flags(); }
    resource_form const& form() const noexcept override { return Rules::form(); }
    kind_facts const& facts() const noexcept override {
        static constexpr kind_facts none;
        if constexpr (requires { Rules::facts(); })
            return Rules::facts();
        else
            return none;
    }
    resource_schema const& schema() const override { return Rules::schema(); }

    std::vector<reference> references(void const* job) const override {
        if constexpr (requires { this->own().references(of(job)); })
            return this->own().references(of(job));
        else
            return {};
    }
    void resolve([[maybe_unused]] void* job, [[maybe_unused]] reference const& to,
                 [[maybe_unused]] any_object found) const override {
        if constexpr (requires { this->own().references(of(job)); })
            this->own().resolve(*static_cast<object*>(job), to, std::move(found));
    }

    void set_defaults(void* job) const override { this->own().set_defaults(*static_cast<object*>(job)); }
    issues validate(void const* job, void const* before) const override {
        issues found;
        this->own().validate(of(job), static_cast<object const*>(before), found);
        return found;
    }
    admission_answer admit(void const* job, admission_context const& context) const override {
        if constexpr (requires { this->own().admit(of(job), context); })
            return this->own().admit(of(job), context);
        else
            return base::admit(job, context);
    }
    std::span<lint_rule const> lint_rules() const noexcept override { return Rules::lint_rules(); }

    std::vector<meta::condition> conditions(void const* job) const override { return this->own().conditions(of(job)); }
    job_phase phase(void const* job) const override { return this->own().phase(of(job)); }
    run_times times(void const* job) const override {
        if constexpr (requires { this->own().times(of(job)); }) {
            return this->own().times(of(job));
        } else {
            run_times t;
            if constexpr (requires { of(job).status.start_time; }) t.started = of(job).status.start_time;
            if constexpr (requires { of(job).status.completion_time; }) t.finished = of(job).status.completion_time;
            return t;
        }
    }

protected:
    issues lint(void const* written, void const* complete) const override {
        issues found;
        this->own().lint(of(written), of(complete), found);
        return found;
    }
    membership lay_out(void const* job) const override { return this->own().lay_out(of(job)); }
    std::vector<any_object> render(void const* job) const override { return this->own().render(of(job)); }
    core::pod render_pod(void const* job, membership const& all, member const& m) const override {
        return this->own().render_pod(of(job), all, m);
    }
    std::vector<injected_file> written_files(void const* job, membership const& all, member const& m) const override {
        if constexpr (requires { this->own().written_files(of(job), all, m); })
            return this->own().written_files(of(job), all, m);
        else
            return {};
    }
    rules::scaling scaling(void const* job) const override { return this->own().scaling(of(job)); }
    rules::suspending suspending(void const* job) const override { return this->own().suspending(of(job)); }
    std::optional<gang_settings> gang(void const* job) const override {
        if constexpr (requires { this->own().gang(of(job)); })
            return this->own().gang(of(job));
        else
            return std::nullopt;
    }
    job_policies policies(void const* job) const override {
        if constexpr (requires { this->own().policies(of(job)); })
            return this->own().policies(of(job));
        else
            return policies_of(of(job));
    }
    result<job_write> scaled(void const* stored, void const* /*complete*/, std::string_view role,
                             std::int32_t members) const override {
        return this->own().scaled(of(stored), role, members);
    }
    result<job_write> suspended(void const* stored, bool on) const override {
        return this->own().suspended(of(stored), on);
    }
    plan plan_for(void const* job, prepared_job const& prepared, world const& related,
                  std::shared_ptr<memory const> remembered, time_point now) const override {
        return this->own().make_plan(job_look<object>(prepared, of(job), related, std::move(remembered), now));
    }
};

} // namespace kftrain::rules

#endif
