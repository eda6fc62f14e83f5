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

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

class operator_options;

namespace rules {
struct reference; // kftrain/job/admission.hpp
}

/** A job of any kind, as a value: copies are independent. Default-constructed and moved-from jobs are empty. An
    empty job has the type no_object_type(), empty metadata, no members, objects, conditions or lint issues, the
    phase `created`, and `null` as JSON and YAML. It is not valid, cannot be scaled or suspended, and cannot be
    decoded into. rules() and the mutable metadata() throw @ref error with `errc::invalid_argument`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class any_job {
public:
    any_job() = default;
    /// Constructs from a job of a kind known at compile time.
    template <training_job K> any_job(K job) : rules_(&job_rules_for<K>()), job_(std::make_shared<K>(std::move(job))) {}
    /// A default-constructed job, as a target for decoding. The rules must outlive the job; those of known_job_rules()
    /// do.
    explicit any_job(rules::job_rules const& rules);
    /// Copies `job`, which must be of the kind of the rules; this is not checked.
    any_job(rules::job_rules const& rules, void const* job);
    /// Takes ownership of an object made by `rules.primary().make()`; no other code may change it afterwards.
    any_job(rules::job_rules const& rules, std::shared_ptr<void> job) : rules_(&rules), job_(std::move(job)) {}

    any_job(any_job const& other);
    any_job(any_job&&) noexcept = default;
    any_job& operator=(any_job other) noexcept {
        std::swap(rules_, other.rules_);
        std::swap(job_, other.job_);
        return *this;
    }
    ~any_job() = default;

    /// Returns whether there is no job.
    bool empty() const noexcept { return job_ == nullptr; }
    /// Returns the rules of its kind, declared in kftrain/job/job_rules.hpp.
    rules::job_rules const& rules() const {
        if (empty()) throw_empty();
        return *rules_;
    }
    /// Returns the type. Two jobs are of one kind if the addresses of their types are equal.
    object_type const& type() const noexcept;
    /// Returns the names that servers use for the kind.
    resource_info const& resource() const noexcept { return *type().info; }
    /// Returns the metadata of the job. The reference is valid until the job is assigned or destroyed, as are those of
    /// get() and get_if().
    object_meta& metadata() {
        if (empty()) throw_empty();
        return type().metadata_of(job_.get());
    }
    object_meta const& metadata() const noexcept { return type().metadata(job_.get()); }

    /// Returns the job in the form that the rules take.
    void const* get() const noexcept { return job_.get(); }
    /// Returns the job if it is of kind `K`, otherwise null.
    template <training_job K> K* get_if() noexcept { return is<K>() ? static_cast<K*>(job_.get()) : nullptr; }
    template <training_job K> K const* get_if() const noexcept {
        return is<K>() ? static_cast<K const*>(job_.get()) : nullptr;
    }
    template <training_job K> bool is() const noexcept { return !empty() && type().model == object_type_of<K>.model; }

    /// Returns the objects besides the job that its rules read, such as its runtime; none for most kinds.
    std::vector<rules::reference> references() const;
    /** Keeps the objects of references() in the job for its other functions, and in its copies. They are no fields:
        they are neither encoded nor compared.
        @param look_up Returns the object of a reference, or an empty one if it does not exist, which validate() then
        reports. Without this call, validate() checks fewer rules, members() returns a role without members, and
        render() returns no objects. */
    void resolve(std::function<any_object(rules::reference const&)> const& look_up);
    /** The same with these objects and, after them, those that an installation of the operator contains. Objects
        without a namespace are in "default". If it fails, the job is unchanged.
        @par Errors `errc::invalid_argument` for the first object that is missing; the message names it */
    [[nodiscard]] result<void> resolve_from(std::span<any_object const> objects);

    /// Sets the fields that the author left out. A second call changes nothing.
    void set_defaults();
    /** Returns every violated admission rule, in a fixed order; empty if the job is valid. Checks the job as it is
        written: call it before set_defaults(). */
    issues validate() const;
    /// The same for an update of a stored job; a job of another kind is an issue.
    issues validate_update(any_job const& before) const;
    /// Returns likely mistakes that admission accepts, by the rules of lint_rules().
    issues lint() const;
    /** Returns the members of the job after applying defaults; none if the job is invalid. A job with a uid is checked
        as prepared_job::stored() does, others as admitted(). If you call more than one of this and the functions below,
        a prepared_job computes what they share once. */
    membership members() const;
    /// Returns every object that an operator creates for the job, in creation order; none if the job is invalid.
    std::vector<any_object> render() const;
    /// The same for an operator with these options.
    std::vector<any_object> render(operator_options const& options) const;
    /// Returns the conditions of its status, oldest first.
    std::vector<meta::condition> conditions() const;
    /// Returns the phase of the job according to its status.
    job_phase phase() const;
    /// Returns how the job may currently be scaled.
    rules::scaling scaling() const;
    /// Returns whether the job is suspended and whether that may be changed.
    rules::suspending suspending() const;

    /// Returns a copy after set_defaults().
    any_job with_defaults() const;

    /// Returns compact JSON by encode_json(): empty values are omitted.
    std::string to_json() const;
    /// Returns block-style YAML by encode_yaml(), which decodes to the same job.
    std::string to_yaml() const;
    /// Decodes JSON into the job, which must be newly constructed. @par Errors Those of decode_json().
    [[nodiscard]] result<void> read_json(std::string_view text, decode_options const& options = {});

    /** A field as JSON; `null` if the job does not have it. Paths are those of errors and of diff():
        `spec.runPolicy.suspend`, `metadata.labels[example.com/team]`,
        `spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].image`, also `containers[name=pytorch]`, and
        `labels["example.com/team"]` for names with brackets.
        @par Errors `errc::invalid_argument` for a path of another form */
    [[nodiscard]] result<std::string> field(std::string_view path) const;
    /** Sets a field to a JSON value, `"text"` in quotes, and creates the objects that lead there; `null` removes it, or
        the item of a list. If it fails, the job is unchanged.
        @par Errors `errc::invalid_argument` for a path of another form, an item that does not exist and a value that is
        not JSON; those of decode_json() for a value that the field cannot hold */
    [[nodiscard]] result<void> set_field(std::string_view path, std::string_view value);

    /// A copy as an object of any type; kftrain/kinds/registry.hpp has to_job() for the way back.
    any_object to_object() const;

    /// Whether the kinds are the same and all fields are equal; two empty jobs are equal.
    friend bool operator==(any_job const& a, any_job const& b);

private:
    [[noreturn]] static void throw_empty();

    rules::job_rules const* rules_ = nullptr;
    std::shared_ptr<void> job_;
};

bool operator==(any_job const& a, any_job const& b);

/** All fields in which two jobs of one kind differ, as diff() of two structs.
    @par Errors `errc::wrong_kind` for jobs of different kinds */
[[nodiscard]] result<std::vector<difference>> diff(any_job const& before, any_job const& after);

/** The merge patch that changes one job into the other, as the text of a kube::patch_body for
    training_client::patch().
    @par Errors those of diff() */
[[nodiscard]] result<std::string> merge_patch(any_job const& before, any_job const& after);

} // namespace kftrain

#endif
