#ifndef KFTRAIN_JOB_ANY_JOB_HPP
#define KFTRAIN_JOB_ANY_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/scaling.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/object_type.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

class operator_options;

/** A job of any kind, as a value: copies are independent. Default-constructed and moved-from ones are empty: they can be
    assigned and asked for empty(), nothing else.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class any_job {
public:
    any_job() = default;
    /// Takes a job of a kind known at compile time.
    template <training_job K> any_job(K job) : rules_(&job_rules_for<K>()), job_(std::make_shared<K>(std::move(job))) {}
    /// A default-constructed job, for decoding into. The rules must live as long as the job, as those of known_job_rules() do.
    explicit any_job(rules::job_rules const& rules);
    /// A copy of `job`, which must be of the kind that the rules are about: nothing checks it.
    any_job(rules::job_rules const& rules, void const* job);
    /// Takes over what `rules.primary().make()` made, which nobody else may change from then on.
    any_job(rules::job_rules const& rules, std::shared_ptr<void> job) : rules_(&rules), job_(std::move(job)) {}

    any_job(any_job const& other);
    any_job(any_job&&) noexcept = default;
    any_job& operator=(any_job other) noexcept {
        std::swap(rules_, other.rules_);
        std::swap(job_, other.job_);
        return *this;
    }
    ~any_job() = default;

    /// Whether there is no job.
    bool empty() const noexcept { return job_ == nullptr; }
    /// The rules of its kind, which kftrain/job/job_rules.hpp declares.
    rules::job_rules const& rules() const noexcept { return *rules_; }
    /// Two jobs are of one kind if the addresses of these are equal.
    object_type const& type() const noexcept;
    /// How servers name the kind.
    resource_info const& resource() const noexcept { return *type().info; }
    /// The metadata of the job itself; the reference holds until the job is assigned or destroyed, as that of get() and get_if() does.
    object_meta& metadata() noexcept { return type().metadata_of(job_.get()); }
    object_meta const& metadata() const noexcept { return type().metadata(job_.get()); }

    /// The job, as the rules take it.
    void const* get() const noexcept { return job_.get(); }
    /// The job, if it is of kind `K`; else null.
    template <training_job K> K* get_if() noexcept { return is<K>() ? static_cast<K*>(job_.get()) : nullptr; }
    template <training_job K> K const* get_if() const noexcept {
        return is<K>() ? static_cast<K const*>(job_.get()) : nullptr;
    }
    template <training_job K> bool is() const noexcept { return !empty() && type().model == object_type_of<K>.model; }

    /// Fills what the author left out. A second call changes nothing.
    void set_defaults();
    /** Every admission rule that the job violates, in a fixed order; empty if it is valid. Looks at the job as written: call
        it before set_defaults(). */
    issues validate() const;
    /// The same for the job as an update of a stored one, which must be of the same kind.
    issues validate_update(any_job const& before) const;
    /// What admission accepts and is hardly meant, by the rules of lint_rules().
    issues lint() const;
    /// The members of the job, which must be valid, with defaults applied.
    membership lay_out() const;
    /// Every object that an operator creates for the job, which must be valid, in creation order; defaults are applied first.
    std::vector<any_object> render() const;
    /// The same by an operator that was told this.
    std::vector<any_object> render(operator_options const& told) const;
    /// The conditions of its status, oldest first.
    std::vector<meta::condition> conditions() const;
    /// Where the job stands, by its status.
    job_phase phase() const;
    /// How the job, which must be valid, may grow and shrink as it stands; defaults are applied first.
    rules::scaling scaling() const;
    /// Whether it is, and may be, suspended.
    rules::suspending suspending() const;

    /// A copy on which set_defaults() was called.
    any_job with_defaults() const;

    /// Compact, by encode_json(): what is empty is left out.
    std::string to_json() const;
    /// Block style, by encode_yaml(): reads back to the same job.
    std::string to_yaml() const;
    /// Decodes JSON into the job, which must be freshly made. @par Errors Those of decode_json().
    result<void> read_json(std::string_view text, decode_options const& options = {});
    /// Decodes YAML into the job, which must be freshly made. @par Errors Those of decode_yaml().
    result<void> read_yaml(std::string_view text, decode_options const& options = {});

private:
    rules::job_rules const* rules_ = nullptr;
    std::shared_ptr<void> job_;
};

} // namespace kftrain

#endif
