#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_RULES_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_RULES_HPP

#include "job/v1/gang.hpp"

namespace kftrain::kubeflow_v1 {

/// The rules of the family, by the view of a job that its kind has.
class replica_rules : public rules::job_rules {
public:
    replica_rules(replica_rules const&) = delete; // rows refer to the selector
    replica_rules& operator=(replica_rules const&) = delete;

    replica_constants const& constants() const noexcept { return constants_; }
    std::string_view name() const noexcept override { return constants_.controller; }
    std::span<rules::watched const> watches() const noexcept override { return rows_; }
    rules::resource_form const& form() const noexcept override { return form_; }
    rules::kind_facts const& facts() const noexcept override { return facts_; }
    std::vector<rules::reference> references(void const*) const override { return {}; }
    void resolve(void*, rules::reference const&, any_object) const override {}
    issues validate(void const* job, void const* before) const override;
    std::vector<meta::condition> conditions(void const* job) const override;
    job_phase phase(void const* job) const override;
    rules::run_times times(void const* job) const override;

protected:
    replica_rules(replica_constants const&, operator_options const&);

    virtual std::unique_ptr<replica_job const> view(void const* job) const = 0;
    /// Returns a copy of the job with this status.
    virtual any_object with_status(void const* job, job_status) const = 0;

    issues lint(void const* written, void const* complete) const override;
    membership lay_out(void const* job) const override { return kubeflow_v1::lay_out(*view(job)); }
    std::vector<any_object> render(void const* job) const override;
    core::pod render_pod(void const* job, membership const&, member const&) const override;
    std::vector<injected_file> written_files(void const*, membership const&, member const&) const override {
        return {};
    }
    rules::scaling scaling(void const* job) const override;
    rules::suspending suspending(void const* job) const override;
    std::optional<rules::gang_settings> gang(void const* job) const override;
    rules::job_policies policies(void const* job) const override;
    result<rules::job_write> scaled(void const* stored, void const* complete, std::string_view type,
                                    std::int32_t replicas) const override;
    result<rules::job_write> suspended(void const* stored, bool on) const override;
    rules::plan plan_for(void const* job, prepared_job const&, rules::world const&,
                         std::shared_ptr<rules::memory const>, time_point now) const override;

    std::vector<rules::watched> rows_;

private:
    replica_constants const& constants_;
    gang_scheduler gang_;
    rules::resource_form form_;
    rules::kind_facts facts_;
    std::string selector_;
};

/// Compiles the schema of a kind; it may refer to `replica_job_schema.json`, the parts that the kinds share. Throws
/// kftrain::error if the text is no schema that kftrain can check.
resource_schema compile_schema(std::string_view text);
/** The flags that all kinds of the family share, and those of a kind.
    @par Upstream training-operator v1.9.0 `cmd/training-operator.v1/main.go` */
std::vector<operator_flag> with_family_flags(std::span<operator_flag const> own);

/** The rules of a kind. `Kind` is a class derived from replica_job, made from a job and the options of its operator,
    with the members:

    | member | |
    |---|---|
    | `object`, `options` | the job, and the options of its operator |
    | `constants` | replica_constants |
    | `set_defaults(object&)` | |
    | `schema()` | text of the kind's schema |
    | `flags()`, `lint_rules()`, `add_own_rows(std::vector<rules::watched>&)` | if not those of replica_job | */
template <class Kind> class replica_rules_of : public replica_rules {
    using object = typename Kind::object;

public:
    explicit replica_rules_of(operator_options const& options = operator_options())
        : replica_rules(Kind::constants, options), options_(options.get<typename Kind::options>()) {
        Kind::add_own_rows(rows_);
    }

    object_type const& primary() const noexcept override { return object_type_of<object>; }
    std::shared_ptr<rules::job_rules const> with(operator_options const& options) const override {
        return std::make_shared<replica_rules_of const>(options);
    }
    std::span<operator_flag const> flags() const override {
        static auto const all = with_family_flags(Kind::flags());
        return all;
    }
    resource_schema const& schema() const override {
        static auto const compiled = compile_schema(Kind::schema());
        return compiled;
    }
    void set_defaults(void* job) const override { Kind::set_defaults(*static_cast<object*>(job)); }
    std::span<lint_rule const> lint_rules() const noexcept override { return Kind::lint_rules(); }

protected:
    std::unique_ptr<replica_job const> view(void const* job) const override {
        return std::make_unique<Kind const>(*static_cast<object const*>(job), options_);
    }
    any_object with_status(void const* job, job_status status) const override {
        object next = *static_cast<object const*>(job);
        next.status = std::move(status);
        return next;
    }

private:
    typename Kind::options options_;
};

} // namespace kftrain::kubeflow_v1

#endif
