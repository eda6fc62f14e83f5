#ifndef KFTRAIN_JOB_ANY_JOB_HPP
#define KFTRAIN_JOB_ANY_JOB_HPP

#include <kftrain/job/rules.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/model/schema.hpp>

#include <memory>
#include <span>
#include <utility>

namespace kftrain {

/** Compiles the schema of a kind; it may refer to `replica_job_schema.json`, the parts that the kinds of training-operator
    share. Throws kftrain::error if the text is no schema that kftrain can check. */
resource_schema compile_job_schema(std::string_view text);

/** A job kind behind one table of functions: the contract of job_rules without its type, so that operators, clients and
    the command line are written once for all kinds. Get one from `job_kind_of<K>()`, or from job_kinds() and
    find_job_kind(); they live as long as the program. Pointers to jobs must point to the kind's own struct.
    @par Thread safety Distinct jobs: safe. The same job: unsafe where it is not const. */
struct job_kind {
    constexpr job_kind() = default;

    resource_info const* resource = nullptr;   ///< how servers name the kind
    descriptor const* type = nullptr;          ///< table of the job's struct
    object_type const* objects = nullptr;      ///< decoding of jobs whose type only the kind knows
    std::string_view operator_name;            ///< see job_rules, as for all that follow
    std::string_view admission_name;           ///< of the validating webhook
    std::span<printed_column const> columns;   ///< what `kubectl get` prints
    std::shared_ptr<void> (*make)() = nullptr; ///< a default-constructed job
    std::shared_ptr<void> (*copy)(void const* job) = nullptr;
    /// Part of the job, and as long-lived.
    object_meta& (*metadata)(void* job) = nullptr;
    std::vector<child_type> (*child_types)(operator_options const&) = nullptr;
    void (*set_defaults)(void* job) = nullptr;
    void (*validate)(void const* job, issues&) = nullptr;
    void (*validate_update)(void const* before, void const* job, issues&) = nullptr;
    void (*lint)(void const* job, issues&) = nullptr;
    std::span<lint_rule const> (*lint_rules)() = nullptr;
    topology (*lay_out)(void const* job) = nullptr;
    std::vector<child> (*render)(void const* job, operator_options const&) = nullptr;
    pod (*render_pod)(void const* job, topology const&, replica const&, operator_options const&) = nullptr;
    plan (*make_plan)(void const* job, observed const&, time_point now, operator_options const&) = nullptr;
    std::vector<job_condition> (*conditions)(void const* job) = nullptr;
    job_phase (*phase)(void const* job) = nullptr;
    result<void> (*set_status)(void* job, std::string_view json) = nullptr; ///< replaces the status
    resource_schema const& (*schema)() = nullptr;                           ///< of the kind's CRD, compiled once
    std::span<operator_flag const> (*operator_flags)() = nullptr;           ///< beyond those of the family
};

/// The table of a kind. One object per kind, so that addresses can be compared.
template <training_job K> job_kind const& job_kind_of() noexcept {
    using rules = job_rules<K>;
    static constexpr auto in = [](void const* job) -> K const& { return *static_cast<K const*>(job); };
    static constexpr job_kind kind = [] {
        job_kind k;
        k.resource = &K::resource;
        k.type = &descriptor_of<K>();
        k.objects = &object_type_of<K>;
        k.operator_name = rules::operator_name;
        k.admission_name = rules::admission_name;
        k.columns = rules::columns;
        k.make = []() -> std::shared_ptr<void> { return std::make_shared<K>(); };
        k.copy = [](void const* job) -> std::shared_ptr<void> { return std::make_shared<K>(in(job)); };
        k.metadata = [](void* job) -> object_meta& { return static_cast<K*>(job)->metadata; };
        k.child_types = [](operator_options const& o) { return rules::child_types(o); };
        k.set_defaults = [](void* job) { rules::set_defaults(*static_cast<K*>(job)); };
        k.validate = [](void const* job, issues& found) { rules::validate(in(job), found); };
        k.validate_update = [](void const* before, void const* job, issues& found) {
            rules::validate_update(in(before), in(job), found);
        };
        k.lint = [](void const* job, issues& found) { rules::lint(in(job), found); };
        k.lint_rules = []() -> std::span<lint_rule const> { return rules::lint_rules(); };
        k.lay_out = [](void const* job) { return rules::lay_out(in(job)); };
        k.render = [](void const* job, operator_options const& o) { return rules::render(in(job), o); };
        k.render_pod = [](void const* job, topology const& t, replica const& r, operator_options const& o) {
            return rules::render_pod(in(job), t, r, o);
        };
        k.make_plan = [](void const* job, observed const& w, time_point now, operator_options const& o) {
            return rules::make_plan(in(job), w, now, o);
        };
        k.conditions = [](void const* job) { return rules::conditions(in(job)); };
        k.phase = [](void const* job) { return rules::phase(in(job)); };
        k.set_status = [](void* job, std::string_view json) -> result<void> {
            using status_type = std::remove_cvref_t<decltype(std::declval<K&>().status)>;
            status_type status;
            if (auto r = decode_json(json, descriptor_of<status_type>(), &status); !r) return r;
            static_cast<K*>(job)->status = std::move(status);
            return {};
        };
        k.schema = []() -> resource_schema const& {
            static resource_schema const compiled = compile_job_schema(rules::schema());
            return compiled;
        };
        k.operator_flags = []() -> std::span<operator_flag const> { return rules::operator_flags(); };
        return k;
    }();
    return kind;
}

/** A job of any kind, as a value: copies are independent. Default-constructed and moved-from ones are empty: they can be
    assigned and asked for empty(), nothing else.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class any_job {
public:
    any_job() = default;
    /// Takes a job of a kind known at compile time. @par Lifetime The kind's table lives as long as the program.
    template <training_job K> any_job(K job) : kind_(&job_kind_of<K>()), job_(std::make_shared<K>(std::move(job))) {}
    /// A default-constructed job of this kind, for decoding into.
    explicit any_job(job_kind const& kind) : kind_(&kind), job_(kind.make()) {}

    /// A copy of `job`, which must be of this kind: nothing checks it.
    any_job(job_kind const& kind, void const* job) : kind_(&kind), job_(kind.copy(job)) {}

    any_job(any_job const& other)
        : kind_(other.kind_), job_(other.empty() ? nullptr : other.kind_->copy(other.job_.get())) {}
    any_job(any_job&&) noexcept = default;
    any_job& operator=(any_job other) noexcept {
        std::swap(kind_, other.kind_);
        std::swap(job_, other.job_);
        return *this;
    }
    ~any_job() = default;

    /// Whether there is no job.
    bool empty() const noexcept { return job_ == nullptr; }
    /// Two jobs are of one kind if the addresses are equal.
    job_kind const& kind() const noexcept { return *kind_; }
    /// How servers name the kind.
    resource_info const& resource() const noexcept { return *kind_->resource; }
    /// Of the job itself; the reference holds until the job is assigned or destroyed, as that of get_if() does.
    object_meta& metadata() noexcept { return kind_->metadata(job_.get()); }
    object_meta const& metadata() const noexcept { return kind_->metadata(job_.get()); }

    /// The job, if it is of kind `K`; else null.
    template <training_job K> K* get_if() noexcept {
        return kind_ == &job_kind_of<K>() ? static_cast<K*>(job_.get()) : nullptr;
    }
    template <training_job K> K const* get_if() const noexcept {
        return kind_ == &job_kind_of<K>() ? static_cast<K const*>(job_.get()) : nullptr;
    }

    /// Fills what the author left out. A second call changes nothing.
    void set_defaults() { kind_->set_defaults(job_.get()); }
    /** Every admission rule that the job violates, in a fixed order; empty if it is valid. Looks at the job as written: call
        it before set_defaults(). */
    issues validate() const;
    /// The same for the job as an update of a stored one, which must be of the same kind.
    issues validate_update(any_job const& before) const;
    /// What admission accepts and is hardly meant, by the rules of lint_rules().
    issues lint() const;
    /// Of the job with defaults applied.
    topology lay_out() const;
    /// Every object that an operator creates for the job, in creation order; defaults are applied first.
    std::vector<child> render(operator_options const& options = operator_options()) const;
    /// The pod of one replica of lay_out(); the job must have its defaults: see set_defaults().
    pod render_pod(topology const& layout, replica const& r,
                   operator_options const& options = operator_options()) const;
    /** What an operator has to do for the job at this time, with what it sees. Pure; sets defaults itself. The world must hold
        what kind().child_types() names, of this job only. */
    plan make_plan(observed const& world, time_point now, operator_options const& options = operator_options()) const;
    /// Oldest first.
    std::vector<job_condition> conditions() const;
    /// Where the job stands, by its status.
    job_phase phase() const { return kind_->phase(job_.get()); }

    /// Replaces the status by what write_status holds. @par Errors Those of decode_json(); the status then stays.
    result<void> set_status(raw_json const& status);

    /// A copy on which set_defaults() was called.
    any_job with_defaults() const;

    /// Compact, by encode_json(): what is empty is left out.
    std::string to_json() const;
    /// Block style, by encode_yaml(): reads back to the same job.
    std::string to_yaml() const;
    /// Decodes JSON into the job, which must be freshly made. @par Errors Those of decode_json().
    result<void> read_json(std::string_view text, decode_options const& options = {}) {
        return decode_json(text, *kind_->type, job_.get(), options);
    }
    /// Decodes YAML into the job, which must be freshly made. @par Errors Those of decode_yaml().
    result<void> read_yaml(std::string_view text, decode_options const& options = {}) {
        return decode_yaml(text, *kind_->type, job_.get(), options);
    }

private:
    job_kind const* kind_ = nullptr;
    std::shared_ptr<void> job_;
};

} // namespace kftrain

#endif
