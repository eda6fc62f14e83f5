#ifndef KFTRAIN_JOB_V1_JOB_BUILDER_HPP
#define KFTRAIN_JOB_V1_JOB_BUILDER_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/model/boxed.hpp>

#include <chrono>
#include <concepts>
#include <limits>
#include <type_traits>

namespace kftrain {

/// Which pods are deleted when the job has ended: see `cleanPodPolicy`.
enum class clean_pods { all, running, none };

/// The values that job_setters collected.
struct job_choices {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_choices);

    object_meta metadata;           ///< name, namespace, labels and annotations
    kubeflow_v1::run_policy policy; ///< `spec.runPolicy` of the job
    issues problems{};              ///< values that do not fit their fields
};

/// The number of replicas of a type, and their own settings.
struct replica_choices {
    replica_choices() = default;
    explicit replica_choices(pod_change change) : own(std::move(change)) {}
    replica_choices(std::int32_t n, pod_change change) : count(n), own(std::move(change)) {}

    std::int32_t count = 1; ///< number of replicas
    pod_change own{};       ///< may be empty
};

template <class Self> class job_setters;
template <template <unsigned> class Builder, unsigned Parts, class Choices,
          template <class> class Setters = job_setters>
class counted_parts;

namespace detail {

/// Returns a number for a 32-bit field; a number that does not fit is appended to `problems`.
std::int32_t fit(std::int64_t value, std::string_view path, issues& problems);
template <whole_number N> std::int64_t widen(N value) noexcept {
    if constexpr (std::is_unsigned_v<N> && sizeof(N) == sizeof(std::int64_t))
        if (value > static_cast<N>(std::numeric_limits<std::int64_t>::max()))
            return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(value);
}
std::string_view to_wire(clean_pods) noexcept;
/// Returns the failure of build(): all errors, with the path of the first.
failure refused(issues const&);

} // namespace detail

/** Setters for jobs of all kinds: metadata, run policy, and through pod_setters their pods. The builder of a kind
    derives from it and adds replica types and settings of the kind.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <class Self> class job_setters : public pod_setters<Self> {
public:
    /// Sets the namespace.
    Self& in(std::string name) { return this->set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job; for labels of its pods use pod_label().
    Self& label(std::string const& key, std::string value) {
        return this->set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job.
    Self& annotation(std::string const& key, std::string value) {
        return this->set(choices_.metadata.annotations[key], std::move(value));
    }

    /// Sets which pods are deleted when the job has ended; by default the operator keeps all.
    Self& clean_pod_policy(clean_pods which) {
        choices_.policy.clean_pod_policy = std::string(detail::to_wire(which));
        return this->self();
    }
    /// Deletes the job, or the launcher of an MPIJob of v2beta1, this long after the job ended.
    Self& time_to_live(std::chrono::seconds after) {
        choices_.policy.ttl_seconds_after_finished =
            detail::fit(after.count(), "spec.runPolicy.ttlSecondsAfterFinished", choices_.problems);
        return this->self();
    }
    /// Fails the job if it is active for longer than this.
    Self& deadline(std::chrono::seconds active) {
        choices_.policy.active_deadline_seconds = active.count();
        return this->self();
    }
    /// Back-off limit: the job fails when the containers of its running pods were restarted this often in total or, for
    /// an MPIJob of v2beta1, when this many launchers failed after the first; 0: at the first failure.
    template <whole_number N> Self& backoff_limit(N restarts) {
        choices_.policy.backoff_limit =
            detail::fit(detail::widen(restarts), "spec.runPolicy.backoffLimit", choices_.problems);
        return this->self();
    }
    /// Stores the job without creating pods until it is resumed.
    Self& suspended(bool yes = true) {
        choices_.policy.suspend = yes;
        return this->self();
    }
    /// Sets the controller of the job: the operator of its kind, by the name that its validation accepts, or
    /// `kueue.x-k8s.io/multikueue`.
    Self& managed_by(std::string controller) {
        choices_.policy.managed_by = std::move(controller);
        return this->self();
    }
    /// Gang scheduling: the queue.
    Self& queue(std::string name) { return this->set(gang().queue, std::move(name)); }
    /// Gang scheduling: the number of pods that must fit before any starts.
    template <whole_number N> Self& min_available(N pods) {
        gang().min_available =
            detail::fit(detail::widen(pods), "spec.runPolicy.schedulingPolicy.minAvailable", choices_.problems);
        return this->self();
    }
    /// Gang scheduling: the whole policy, replacing earlier settings.
    Self& scheduling(kubeflow_v1::scheduling_policy policy) {
        choices_.policy.scheduling_policy = std::move(policy);
        return this->self();
    }

    /// Returns the current values; the reference is valid as long as the builder.
    job_choices const& choices() const noexcept { return choices_; }

protected:
    explicit job_setters(std::string name) { choices_.metadata.name = std::move(name); }
    template <class Before>
    explicit job_setters(job_setters<Before> const& before) : pod_setters<Self>(before), choices_(before.choices()) {}

private:
    kubeflow_v1::scheduling_policy& gang() {
        if (!choices_.policy.scheduling_policy) choices_.policy.scheduling_policy.emplace();
        return *choices_.policy.scheduling_policy;
    }

    job_choices choices_;
};

namespace detail {

/// The parts that image() and workers() give; the parts of a kind are further bits.
inline constexpr unsigned image_part = 1;
inline constexpr unsigned workers_part = 2;

/// Only counted_parts makes a builder from another one, and calls its check_parts().
class builder_access {
    template <template <unsigned> class, unsigned, class, template <class> class> friend class kftrain::counted_parts;
    builder_access() = default;
    template <class Builder> static constexpr void check() { Builder::check_parts(); }
};

} // namespace detail

/** The base of a builder that counts the parts given so far in its type, `Builder<Parts>`. A job without a necessary
    part, or with a part twice, therefore does not compile. `Choices` are the values that the builder collects in
    addition to those of `Setters`, which is job_setters or pod_setters. They name the type of the job, `job`, and
    `build()` makes it of these values.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <template <unsigned> class Builder, unsigned Parts, class Choices, template <class> class Setters>
class counted_parts : public Setters<Builder<Parts>> {
    using base = Setters<Builder<Parts>>;
    template <unsigned Part> using with = Builder<Parts | Part>;
    static constexpr bool has_metadata = requires(Choices& c) { c.metadata; };

public:
    /// Begins a job of this name.
    explicit counted_parts(std::string name)
    requires(!has_metadata)
        : base(std::move(name)) {
        check_begin();
    }
    explicit counted_parts(std::string name)
    requires(has_metadata)
    {
        check_begin();
        own_.metadata.name = std::move(name);
    }
    template <unsigned Before>
    counted_parts(counted_parts<Builder, Before, Choices, Setters> const& before, detail::builder_access)
        : base(static_cast<Setters<Builder<Before>> const&>(before)), own_(before.own_) {}

    /// Sets the image of the training container of all pods; the function of a replica type may override it.
    [[nodiscard]] with<detail::image_part> image(std::string reference) const {
        static_assert(!has_image, "image() was called already");
        with<detail::image_part> next(*this, detail::builder_access());
        static_cast<Setters<with<detail::image_part>>&>(next).image(std::move(reference));
        return next;
    }

    /** Returns the checked job. Fails with `errc::invalid_job` if admission or the operator rejects it, if lint()
        finds an error, or if a value is invalid. The failure lists path, value and expectation of every fault; its
        `path` is that of the first. */
    [[nodiscard]] result<typename Choices::job> build() const {
        static_assert(has_image, "call image() before build()");
        detail::builder_access::check<Builder<Parts>>();
        if constexpr (has_metadata)
            return own_.build(this->pod());
        else
            return own_.build(this->choices(), this->pod());
    }

protected:
    /// Does not compile if a necessary part other than the image is missing; a builder with such parts hides it.
    static constexpr void check_parts() {}
    static constexpr bool has(unsigned part) { return (Parts & part) != 0; }
    static constexpr bool has_image = (Parts & detail::image_part) != 0;

    /// Returns the builder with a further part; `change` sets its values.
    template <unsigned Part, std::invocable<Choices&> Change> with<Part> given(Change const& change) const {
        with<Part> next(*this, detail::builder_access());
        change(static_cast<counted_parts<Builder, Parts | Part, Choices, Setters>&>(next).own_);
        return next;
    }
    template <unsigned Part, class Value>
    with<Part> given(Value Choices::* member, std::type_identity_t<Value> value) const {
        return given<Part>([&](Choices& c) { c.*member = std::move(value); });
    }
    /// The same for the replicas of a type; `path` is that of their number.
    template <unsigned Part, whole_number N>
    with<Part> given(boxed<replica_choices> Choices::* member, N count, std::string_view path, pod_change own) const {
        return given<Part>([&](Choices& c) {
            (c.*member).emplace(detail::fit(detail::widen(count), path, c.problems), std::move(own));
        });
    }

    Choices own_;

private:
    friend class detail::builder_access;
    template <template <unsigned> class, unsigned, class, template <class> class> friend class counted_parts;

    static constexpr void check_begin() {
        static_assert(Parts == 0, "begin with a builder without parts, such as pytorch_job_builder(name)");
    }
};

/** The base of a builder for jobs with workers: `Choices` have `workers`, and `workers_path`, the path of their number.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <template <unsigned> class Builder, unsigned Parts, class Choices,
          template <class> class Setters = job_setters>
class counted_workers : public counted_parts<Builder, Parts, Choices, Setters> {
    using base = counted_parts<Builder, Parts, Choices, Setters>;

public:
    using base::base;

    /// Sets the number of workers; `own` customizes their pods.
    template <whole_number N>
    [[nodiscard]] Builder<Parts | detail::workers_part> workers(N count, pod_change own = {}) const {
        static_assert(!has_workers, "workers() was called already");
        return base::template given<detail::workers_part>([&](Choices& c) {
            c.workers.emplace(detail::fit(detail::widen(count), Choices::workers_path, c.problems), std::move(own));
        });
    }

protected:
    static constexpr bool has_workers = base::has(detail::workers_part);
};

} // namespace kftrain

#endif
