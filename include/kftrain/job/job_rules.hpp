#ifndef KFTRAIN_JOB_JOB_RULES_HPP
#define KFTRAIN_JOB_JOB_RULES_HPP

/** @file
    The rules of a job kind: those of its controller, and what else clients, servers and tools ask about its jobs. */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/admission.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/operator_flag.hpp>
#include <kftrain/job/scaling.hpp>
#include <kftrain/job/told_file.hpp>
#include <kftrain/model/schema.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kftrain::rules {

/// A column that `kubectl get` shows for a kind, as its CRD declares it; `path` is in the JSONPath of CRDs.
struct printed_column {
    constexpr printed_column() = default;
    constexpr printed_column(std::string_view n, std::string_view t, std::string_view p, std::int32_t o = 0)
        : name(n), type(t), path(p), priority(o) {}

    std::string_view name;
    std::string_view type; ///< string, integer or date
    std::string_view path;
    std::int32_t priority = 0; ///< above 0: with `-o wide` only
};

/// How an API server serves a kind, beside its schema. What it refers to lives as long as the program.
struct resource_form {
    constexpr resource_form() = default;

    std::span<printed_column const> columns;
    std::span<std::string_view const> short_names;
    std::span<std::string_view const> categories;
    bool has_status = true; ///< whether there is a subresource `status`
    /// Of the webhook that is asked about jobs of the kind; empty: there is none, and its controller looks for itself.
    std::string_view admission_name;
};

/** The rules of a job kind. Pure: no clock, no I/O. Written as a struct, of which job_rules_of makes this. Jobs are given by
    pointers to the struct of the kind, primary().model; nothing checks that.
    @par Thread safety Safe: nothing changes after construction. */
class job_rules : public controller_rules {
public:
    /// Rules of the same kind whose operator was told this.
    virtual std::shared_ptr<job_rules const> with(operator_options const&) const = 0;
    /// The flags of upstream's operator that tell the rules something.
    virtual std::span<operator_flag const> flags() const = 0;
    virtual resource_form const& form() const noexcept = 0;
    /// Of the kind's CRD; compiled once, and kept as long as the program runs.
    virtual resource_schema const& schema() const = 0;

    /// Fills what the author left out. A second call changes nothing.
    virtual void set_defaults(void* job) const = 0;
    /// Every rule that a job as it is written violates, in a fixed order; `before` is the stored job when this is an update of
    /// it, else null.
    virtual issues validate(void const* job, void const* before) const = 0;
    /// What the kind's webhooks answer; of kinds without any, what their controllers would say.
    virtual admission_answer admit(void const* job, admission_question const&) const = 0;
    /// What is accepted and hardly meant, by the family's rules and those of lint_rules(); of a job as it is written.
    virtual issues lint(void const* job) const = 0;
    /// The lint rules of this kind alone, without those of its family.
    virtual std::span<lint_rule const> lint_rules() const noexcept = 0;

    /// The members of a valid job with defaults, which the next five take, too.
    virtual membership lay_out(void const* job) const = 0;
    /// Every object that the operator creates, in that order; what recipes fill in is not there.
    virtual std::vector<any_object> render(void const* job) const = 0;
    /// The pod of a member of lay_out(); where the name is not known beforehand, it has none.
    virtual core::pod render_pod(void const* job, membership const&, member const&) const = 0;
    /** The files that init containers of the operator write for the main containers of a member, and no mounted object holds; most kinds
        have none. `source` says who writes them. */
    virtual std::vector<told_file> written_files(void const* job, membership const&, member const&) const = 0;
    /// How the job may grow and shrink as it stands.
    virtual rules::scaling scaling(void const* job) const = 0;
    /// Whether the job is suspended, and may be changed in that.
    virtual rules::suspending suspending(void const* job) const = 0;

    /** What has to be written so that a role has so many members; the job is as a server stores it.
        @par Errors `errc::invalid_argument` for what scaling() does not allow; the path names the role */
    virtual result<action> scaled(void const* job, std::string_view role, std::int32_t members) const = 0;
    /// What has to be written so that the job stops, or goes on. @par Errors `errc::invalid_argument` where it cannot be
    virtual result<action> suspended(void const* job, bool on) const = 0;

    /// The conditions of its status, oldest first; kinds whose API has no conditions tell their phase by them.
    virtual std::vector<meta::condition> conditions(void const* job) const = 0;
    /// Where the job stands, by its status.
    virtual job_phase phase(void const* job) const = 0;
};

/** Rules of a struct with what controller_of asks for, and:

    | member | gives |
    |---|---|
    | `explicit Rules(operator_options const&)` | rules told this |
    | `static flags()`, `lint_rules()` | spans of what lives as long as the program |
    | `static form()`, `static schema()` | references that live as long as the program |
    | `set_defaults(object&) const` | |
    | `validate(object const&, object const* before, issues&) const` | appended, as by `lint(object const&, issues&)` |
    | `admit(object const&, admission_question const&) const` | may be absent: answer_of() what validate() finds |
    | `written_files(object const&, membership const&, member const&) const` | may be absent: none |
    | `lay_out`, `render`, `render_pod`, `scaling`, `suspending`, `scaled`, `suspended`, `conditions`, `phase` | as job_rules, of an `object const&` |

    A kind is known to the library by a function beside its struct, which argument-dependent lookup finds:
    `rules::job_rules const& kftrain_job_rules(type_tag<K>) noexcept`. */
template <class Rules> class job_rules_of final : public controller_part<Rules, job_rules> {
    using base = controller_part<Rules, job_rules>;
    using object = typename Rules::object;

    static object const& of(void const* job) { return *static_cast<object const*>(job); }

public:
    explicit job_rules_of(operator_options const& told = operator_options()) : base(std::in_place, told) {}

    std::shared_ptr<job_rules const> with(operator_options const& told) const override {
        return std::make_shared<job_rules_of const>(told);
    }
    std::span<operator_flag const> flags() const override { return Rules::flags(); }
    resource_form const& form() const noexcept override { return Rules::form(); }
    resource_schema const& schema() const override { return Rules::schema(); }

    void set_defaults(void* job) const override { this->own().set_defaults(*static_cast<object*>(job)); }
    issues validate(void const* job, void const* before) const override {
        issues found;
        this->own().validate(of(job), static_cast<object const*>(before), found);
        return found;
    }
    admission_answer admit(void const* job, admission_question const& asked) const override {
        if constexpr (requires { this->own().admit(of(job), asked); })
            return this->own().admit(of(job), asked);
        else
            return answer_of(validate(job, asked.before));
    }
    issues lint(void const* job) const override {
        issues found;
        this->own().lint(of(job), found);
        return found;
    }
    std::span<lint_rule const> lint_rules() const noexcept override { return Rules::lint_rules(); }

    membership lay_out(void const* job) const override { return this->own().lay_out(of(job)); }
    std::vector<any_object> render(void const* job) const override { return this->own().render(of(job)); }
    core::pod render_pod(void const* job, membership const& all, member const& m) const override {
        return this->own().render_pod(of(job), all, m);
    }
    std::vector<told_file> written_files(void const* job, membership const& all, member const& m) const override {
        if constexpr (requires { this->own().written_files(of(job), all, m); })
            return this->own().written_files(of(job), all, m);
        else
            return {};
    }
    rules::scaling scaling(void const* job) const override { return this->own().scaling(of(job)); }
    rules::suspending suspending(void const* job) const override { return this->own().suspending(of(job)); }
    result<action> scaled(void const* job, std::string_view role, std::int32_t members) const override {
        return this->own().scaled(of(job), role, members);
    }
    result<action> suspended(void const* job, bool on) const override { return this->own().suspended(of(job), on); }

    std::vector<meta::condition> conditions(void const* job) const override { return this->own().conditions(of(job)); }
    job_phase phase(void const* job) const override { return this->own().phase(of(job)); }
};

} // namespace kftrain::rules

#endif
