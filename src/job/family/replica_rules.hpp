#ifndef KFTRAIN_SRC_JOB_FAMILY_REPLICA_RULES_HPP
#define KFTRAIN_SRC_JOB_FAMILY_REPLICA_RULES_HPP

#include "job/contract/conditions.hpp"
#include "job/lint/lint_replicas.hpp"
#include "job/v1/gang.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_render.hpp"

#include <array>

namespace kftrain::kubeflow_v1 {

/// The columns of `kubectl get` for the kinds of the family.
inline constexpr std::array<rules::printed_column, 2> family_columns{
    {{"State", "string", ".status.conditions[-1:].type"}, {"Age", "date", ".metadata.creationTimestamp"}}};

/// Reasons of events of its operator.
inline constexpr std::array<std::string_view, 4> family_refusals{"FailedCreatePod", "FailedCreateService",
                                                                 "FailedCreatePodGroup", "ErrResourceExists"};

/** The rules of a kind of the family, for rules::job_rules_of. `Kind` is a class derived from replica_job, made from a
    job and the options of its operator. It refers to both. It has:

    | member | |
    |---|---|
    | `object`, `options` | the job, and the options of its operator |
    | `constants` | replica_constants |
    | `admission_name` | of its webhook |
    | `set_defaults(object&)` | |
    | `schema()` | text of the kind's schema |
    | `lint_rules()`, `flags()` | beyond the family's; may be absent |
    | `own_types()` | types of objects of which a job has one, of its name; may be absent |
    | `add_own_rows(std::vector<rules::watched>&)` | what else it looks at; may be absent |
    | `columns` | what `kubectl get` shows, if not family_columns; may be absent |
    | `launcher` | the role that starts the others; may be absent | */
template <class Kind> class replica_rules {
public:
    using object = typename Kind::object;
    static constexpr std::string_view name = Kind::constants.controller;

    explicit replica_rules(operator_options const& options)
        : options_(options.get<typename Kind::options>()),
          gang_(gang_of(options.get<training_operator_options>())),
          selector_(std::string(label::operator_name).append("=").append(name)),
          rows_(rows_of(selector_, !Kind::constants.own_members)) {
        if (gang_) add_rows(rows_, pod_group_type(gang_)); // PodGroups bear no labels of the operator
        if constexpr (requires { Kind::own_types(); })
            for (object_type const* type : Kind::own_types()) add_rows(rows_, *type);
        if constexpr (requires { Kind::add_own_rows(rows_); }) Kind::add_own_rows(rows_);
    }
    replica_rules(replica_rules const&) = delete; // rows refer to the selector
    replica_rules& operator=(replica_rules const&) = delete;

    static std::span<operator_flag const> flags() {
        static std::vector<operator_flag> const of_both = [] {
            auto const shared = family_flags();
            std::vector<operator_flag> both(shared.begin(), shared.end());
            if constexpr (requires { Kind::flags(); })
                for (auto const& f : Kind::flags()) both.push_back(f);
            return both;
        }();
        return of_both;
    }
    static rules::resource_form const& form() noexcept {
        static constexpr rules::resource_form served = [] {
            rules::resource_form f;
            if constexpr (requires { Kind::columns; })
                f.columns = Kind::columns;
            else
                f.columns = family_columns;
            f.admission_name = Kind::admission_name;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr rules::kind_facts of_kind = [] {
            rules::kind_facts f;
            // Upstream training-operator v1.9.0 `pkg/core/status.go`: a deleted pod counts as failed while it runs, and
            // then by its final phase.
            f.counts_old_pods = true;
            f.manager = "kubeflow.org/training-operator";
            f.refusal_reasons = family_refusals;
            if constexpr (requires { Kind::launcher; }) f.launcher = Kind::launcher;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = compile_schema(Kind::schema());
        return compiled;
    }

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<object> const& look) const {
        auto const& stored = look.object;
        Kind const written(stored, options_);
        if (stored.metadata.deletion_timestamp || !is_ours(written)) return {};
        if (issues found; validate(stored, nullptr, found), has_errors(found)) return written.plan_of_invalid(found);
        object const complete = with_defaults(stored);
        auto const changed = [&stored](job_status status) {
            object next = stored;
            next.status = std::move(status);
            return any_object(std::move(next));
        };
        return kubeflow_v1::make_plan(Kind(complete, options_), changed, gather(look.world, stored.metadata.uid),
                                      look.now, gang_);
    }

    static void set_defaults(object& job) { Kind::set_defaults(job); }
    void validate(object const& job, object const* before, issues& found) const {
        if (before == nullptr) return Kind(job, options_).find_faults(nullptr, found);
        Kind const stored(*before, options_);
        Kind(job, options_).find_faults(&stored, found);
    }
    void lint(object const& job, issues& found) const {
        object const defaulted = with_defaults(job);
        Kind const complete(defaulted, options_);
        lint_replicas(Kind(job, options_), complete, gang_, found);
        complete.lint(found);
    }
    static std::span<lint_rule const> lint_rules() noexcept {
        if constexpr (requires { Kind::lint_rules(); })
            return Kind::lint_rules();
        else
            return {};
    }

    membership lay_out(object const& job) const { return kubeflow_v1::lay_out(Kind(job, options_)); }
    std::vector<any_object> render(object const& job) const { return kubeflow_v1::render(Kind(job, options_), gang_); }
    pod render_pod(object const& job, membership const& layout, member const& m) const {
        return kubeflow_v1::render_pod(Kind(job, options_), layout, m, gang_);
    }
    rules::scaling scaling(object const& job) const { return scaling_of(Kind(job, options_)); }
    rules::suspending suspending(object const& job) const { return suspending_of(Kind(job, options_)); }
    result<rules::job_write> scaled(object const& job, std::string_view type, std::int32_t replicas) const {
        object const complete = with_defaults(job);
        return kubeflow_v1::scaled(Kind(complete, options_), Kind(job, options_), type, replicas);
    }
    result<rules::job_write> suspended(object const& job, bool on) const {
        return kubeflow_v1::suspended(Kind(job, options_), on);
    }

    std::optional<rules::gang_settings> gang(object const& job) const { return gang_settings_of(Kind(job, options_)); }
    static std::vector<meta::condition> conditions(object const& job) { return as_conditions(job.status.conditions); }
    static job_phase phase(object const& job) noexcept { return phase_of(job.status); }

private:
    static object with_defaults(object job) {
        Kind::set_defaults(job);
        return job;
    }

    typename Kind::options options_;
    gang_scheduler gang_;
    std::string selector_;
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::kubeflow_v1

#endif
